package index

import "testing"

// in is a command in a folder.
func (s *story) in(folder, command string, exit int, output string) {
	status := "ok"
	if exit != 0 {
		status = "error"
	}
	s.call("run_command", map[string]any{"command": command}, map[string]any{"status": status, "output": output, "exit_code": exit, "cwd": folder})
}

const noPackage = "npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/srv/notes/package.json'\n"

func TestSuspectsOfAWrongFolder(t *testing.T) {
	s := newStory(t)
	s.in("/srv/app", "ls", 0, "src")
	s.in("/srv/notes", "cd /srv/notes", 0, "")
	s.in("/srv/notes", "npm test", 254, noPackage)
	wantAccused(t, s.whyLast(), "3 /srv/notes changed the folder to /srv/notes, where the error misses package.json")

	s = newStory(t)
	s.in("/srv/app", "ls", 0, "src")
	s.in("/srv/notes", "cd /srv/notes && npm test", 254, noPackage)
	wantAccused(t, s.whyLast(), "3 /srv/notes it ran in /srv/notes, where the error misses package.json")

	s = newStory(t)
	s.in("/srv/notes", "npm test", 254, noPackage)
	wantAccused(t, s.whyLast())
}

// Code that was there before has no writer: the first looks at it are what the
// run knows of it.
func TestSuspectsOfWhatWasThereBefore(t *testing.T) {
	const failure = "not ok 1 - tax is whole cents\n  location: '/srv/app/test/cart.test.js:6:1'\n"
	s := newStory(t)
	s.read("src/tax.js", "export const rate = 1\n")
	s.read("src/cart.js", "export const sum = 1\n")
	s.read("src/index.js", "export * from './cart.js'\n")
	s.run("npm test", 1, failure)
	wantAccused(t, s.whyLast(),
		"3 src/cart.js error speaks of cart: cart.js was first seen here, and no event is known to have written it",
		"1 src/tax.js error speaks of tax: tax.js was first seen here, and no event is known to have written it")

	s.edit("src/tax.js", "rate = 1", "rate = 2")
	s.run("npm test", 1, failure)
	wantAccused(t, s.whyLast(), "9 src/tax.js error speaks of tax: tax.js was last written here",
		"3 src/cart.js error speaks of cart: cart.js was first seen here, and no event is known to have written it")
}

// An edit that does not find its text is at odds with what was seen last.
func TestSuspectsOfAnEditThatFindsNothing(t *testing.T) {
	s := newStory(t)
	s.read("src/tax.js", "return cents + cents * rate;\n")
	s.call("edit_file", map[string]any{"path": "src/tax.js", "old_str": "return cents * rate;", "new_str": "return 1;"},
		map[string]any{"status": "error", "output": "String to replace not found in file."})
	wantAccused(t, s.whyLast(), "1 src/tax.js what the edit looks for is not in tax.js as it was last known, here")
}
