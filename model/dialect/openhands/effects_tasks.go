package openhands

import (
	"strconv"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// taskStatus are the words for a task's state that differ from ours.
var taskStatus = map[string]string{"completed": "done", "complete": "done", "pending": "todo", "in progress": "in_progress", "canceled": "cancelled"}

// readTasks reads a task list. V0 names its tasks, V1 numbers them by place.
func readTasks(list []byte) []model.Task {
	out := []model.Task{}
	jsonscan.Elements(list, func(v []byte) bool {
		t := model.Task{ID: strconv.Itoa(len(out) + 1), Status: "todo"}
		jsonscan.Fields(v, func(key string, v []byte) bool {
			switch key {
			case "id":
				if id := jsonscan.Scalar(v); id != "" {
					t.ID = id
				}
			case "title":
				t.Title = jsonscan.Str(v)
			case "status":
				if s := jsonscan.Str(v); s != "" {
					t.Status = s
				}
			}
			return true
		})
		if s, ok := taskStatus[t.Status]; ok {
			t.Status = s
		}
		out = append(out, t)
		return true
	})
	return out
}
