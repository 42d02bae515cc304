package eventlog

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

func updateTasks(p *params, _ *body) model.Effect {
	list, ok := readTasks(p.tasks)
	if !ok {
		return nil
	}
	return model.Tasks{List: list}
}

// readTasks reads a list of tasks: objects, or strings that are titles. Ids
// are those of the source; a task without one, or with one that stands before
// it in the list, takes its 1-based number. What is no task keeps its number
// and is left out.
func readTasks(v []byte) (list []model.Task, ok bool) {
	if jsonscan.Kind(v) != '[' {
		return nil, false
	}
	list = []model.Task{}
	var numbers []int // of each task of list; 0 where its id is the source's
	taken := make(map[string]bool)
	number := 0
	jsonscan.Elements(v, func(item []byte) bool {
		number++
		task, ok := readTask(item)
		if !ok {
			return true
		}
		waits := 0
		if task.ID == "" || taken[task.ID] {
			waits = number
		}
		taken[task.ID] = true
		list, numbers = append(list, task), append(numbers, waits)
		return true
	})
	for i, n := range numbers {
		if n > 0 {
			list[i].ID = freeNumber(n, taken)
		}
	}
	return list, true
}

// freeNumber takes a number as an id; where another task has that already, a
// part is put behind it.
func freeNumber(number int, taken map[string]bool) string {
	id := strconv.Itoa(number)
	for part := 1; taken[id]; part++ {
		id = strconv.Itoa(number) + "." + strconv.Itoa(part)
	}
	taken[id] = true
	return id
}

func readTask(v []byte) (task model.Task, ok bool) {
	task.Status = taskTodo
	switch jsonscan.Kind(v) {
	case '"':
		task.Title = jsonscan.Str(v)
		return task, true
	case '{':
		var title, content []byte
		members(v, func(key, value []byte) {
			switch string(key) {
			case "id":
				task.ID = identity(value)
			case "title":
				title = value
			case "content":
				content = value
			case "status":
				task.Status = taskStatus(jsonscan.Scalar(value))
			}
		})
		if task.Title = jsonscan.Scalar(title); task.Title == "" {
			task.Title = jsonscan.Scalar(content)
		}
		return task, true
	}
	return task, false
}

// The states of a task in the state document.
const (
	taskTodo      = "todo"
	taskDoing     = "in_progress"
	taskDone      = "done"
	taskCancelled = "cancelled"
)

// taskWords are other words for the states of a task.
var taskWords = map[string]string{
	"in_progress": taskDoing, "inprogress": taskDoing, "doing": taskDoing, "active": taskDoing, "started": taskDoing,
	"running": taskDoing, "wip": taskDoing, "current": taskDoing,
	"done": taskDone, "complete": taskDone, "completed": taskDone, "finished": taskDone, "closed": taskDone, "resolved": taskDone,
	"cancelled": taskCancelled, "canceled": taskCancelled, "skipped": taskCancelled, "abandoned": taskCancelled,
	"dropped": taskCancelled, "wontfix": taskCancelled,
}

var taskSpelling = strings.NewReplacer(" ", "_", "-", "_")

// taskStatus is a status in the words of the state document. What is in no way
// begun or ended, or not known, is still to do.
func taskStatus(word string) string {
	if s, ok := taskWords[taskSpelling.Replace(strings.ToLower(strings.TrimSpace(word)))]; ok {
		return s
	}
	return taskTodo
}
