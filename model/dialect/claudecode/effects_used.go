package claudecode

import "hindcast/model/jsonscan"

// used is what the client keeps beside a result, of any tool, as spans of the
// record; outputs are long, so that it is read once.
type used struct {
	isObject bool // it is none in sub-agents, and where the call failed

	filePath, content, file                     []byte // Read, Write
	oldString, newString, replaceAll            []byte // Edit
	originalFile, userModified, structuredPatch []byte
	edits                                       []byte // MultiEdit
	interrupted, backgroundTaskID, returnCode   []byte // Bash
	bashEditDiff, command, status, exitCode     []byte
	newTodos, task, tasks, success              []byte // the task tools
}

func (u *used) read(v []byte) {
	*u = used{isObject: isObject(v)}
	jsonscan.Fields(v, func(key string, v []byte) bool {
		if slot := u.slot(key); slot != nil {
			*slot = v
		}
		return true
	})
}

func (u *used) slot(key string) *[]byte {
	switch key {
	case "filePath":
		return &u.filePath
	case "content":
		return &u.content
	case "file":
		return &u.file
	case "oldString":
		return &u.oldString
	case "newString":
		return &u.newString
	case "replaceAll":
		return &u.replaceAll
	case "originalFile", "originalFileContents":
		return &u.originalFile
	case "userModified":
		return &u.userModified
	case "structuredPatch":
		return &u.structuredPatch
	case "edits":
		return &u.edits
	case "interrupted":
		return &u.interrupted
	case "backgroundTaskId":
		return &u.backgroundTaskID
	case "returnCodeInterpretation":
		return &u.returnCode
	case "bashEditDiff":
		return &u.bashEditDiff
	case "command":
		return &u.command
	case "status":
		return &u.status
	case "exitCode":
		return &u.exitCode
	}
	return u.taskSlot(key)
}

func (u *used) taskSlot(key string) *[]byte {
	switch key {
	case "newTodos":
		return &u.newTodos
	case "task":
		return &u.task
	case "tasks":
		return &u.tasks
	case "success":
		return &u.success
	}
	return nil
}
