package claudecode

import (
	"slices"
	"strconv"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// taskStatus are the words for a task's state that differ from ours.
var taskStatus = map[string]string{"pending": "todo", "completed": "done", "deleted": "cancelled"}

func statusOf(word string) string {
	if s, ok := taskStatus[word]; ok {
		return s
	}
	if word == "" {
		return "todo"
	}
	return word
}

// todos is the list of TodoWrite, whole at each call.
func (a *answer) todos() []model.Effect {
	list := a.used.newTodos
	if !isList(list) {
		if list = jsonscan.Get(a.input, "todos"); !isList(list) {
			return nil
		}
	}
	return []model.Effect{model.Tasks{List: readTasks(list, "content")}}
}

// readTasks reads a list of tasks, whose title is the member of that name. A
// task without an id has its number.
func readTasks(list []byte, title string) []model.Task {
	out := []model.Task{}
	jsonscan.Elements(list, func(v []byte) bool {
		t := model.Task{ID: strconv.Itoa(len(out) + 1)}
		jsonscan.Fields(v, func(key string, v []byte) bool {
			switch key {
			case "id":
				if id := jsonscan.Scalar(v); id != "" {
					t.ID = id
				}
			case title:
				t.Title = jsonscan.Str(v)
			case "status":
				t.Status = jsonscan.Str(v)
			}
			return true
		})
		t.Status = statusOf(t.Status)
		out = append(out, t)
		return true
	})
	return out
}

// taskLimit bounds how many tasks are kept at hand.
const taskLimit = 1 << 10

// task reads the tools that make and change single tasks. A list is a look at
// what calls beside it may have changed already: it tells of tasks that were
// not seen before.
func (f *effector) task(a *answer) []model.Effect {
	switch a.tool {
	case "TaskCreate":
		t := model.Task{ID: jsonscan.Scalar(jsonscan.Get(a.used.task, "id")), Status: "todo"}
		if t.Title = jsonscan.Str(jsonscan.Get(a.used.task, "subject")); t.Title == "" {
			t.Title, _ = a.arg("subject")
		}
		if t.ID == "" {
			return nil
		}
		return []model.Effect{f.keepTask(t)}
	case "TaskUpdate":
		return f.updatedTask(a)
	}
	list := readTasks(a.used.tasks, "subject")
	var out []model.Effect
	for _, t := range list {
		if f.taskAt(t.ID) < 0 {
			out = append(out, f.keepTask(t))
		}
	}
	return out
}

func (f *effector) updatedTask(a *answer) []model.Effect {
	id := jsonscan.Scalar(jsonscan.Get(a.input, "taskId"))
	if id == "" || a.used.isObject && !isTrue(a.used.success) {
		return nil
	}
	t := model.Task{ID: id, Status: "todo"}
	if at := f.taskAt(id); at >= 0 {
		t = f.state.Tasks[at]
	}
	if title, ok := a.arg("subject"); ok {
		t.Title = title
	}
	status, ok := a.arg("status")
	if ok {
		t.Status = statusOf(status)
	}
	fx := f.keepTask(t)
	if status == "deleted" {
		fx.Delete = true
		f.state.Tasks = slices.DeleteFunc(f.state.Tasks, func(t model.Task) bool { return t.ID == id })
	}
	return []model.Effect{fx}
}

func (f *effector) taskAt(id string) int {
	return slices.IndexFunc(f.state.Tasks, func(t model.Task) bool { return t.ID == id })
}

// keepTask remembers a task as it is now.
func (f *effector) keepTask(t model.Task) model.TaskItem {
	if at := f.taskAt(t.ID); at >= 0 {
		f.state.Tasks[at] = t
	} else if len(f.state.Tasks) < taskLimit {
		f.state.Tasks = append(f.state.Tasks, t)
	}
	return model.TaskItem{Task: t}
}
