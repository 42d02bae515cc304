package index

import (
	"slices"

	"hindcast/index/store"
)

// Impact is what followed from events, as a tree: each event stands once, below
// that one of its causes which is nearest to the start. Nodes are numbers.
type Impact struct {
	// Whole is false where there is more than could be held.
	Whole bool

	nodes []store.Node
	near  []int32 // nearest first, without the starts
	kids  []int32 // of all nodes, one node's behind the other's, in order of keys
	first []int32 // of each node, where its kids begin; one more at the end
	below []impactSum
	spent []impactUsage // empty until it is asked for
}

// impactSum is what a node and all below it come to.
type impactSum struct {
	events, failed int32
	last           int32 // the node that ended last
}

// impactUsage is what a node and all below it used, and which of it is known.
type impactUsage struct {
	tokens               int64
	cost                 float64
	toldTokens, toldCost bool
}

// ImpactNode is an event of an impact before it is a tree; its parent stands
// anywhere in the list.
type ImpactNode = store.Node

// NewImpact makes a tree of nodes.
func NewImpact(nodes []ImpactNode, whole bool) *Impact {
	m := &Impact{Whole: whole, nodes: nodes}
	byKey := make([]int32, len(nodes))
	deepest := int32(0)
	for i, n := range nodes {
		byKey[i], deepest = int32(i), max(deepest, n.Depth)
	}
	slices.SortStableFunc(byKey, func(a, b int32) int { return nodes[a].Compare(nodes[b]) })
	m.near, _ = grouped(byKey, int(deepest)+1, func(i int32) int32 { return nodes[i].Depth })
	m.kids, m.first = grouped(byKey, len(nodes)+1, func(i int32) int32 { return nodes[i].Parent + 1 })
	starts := m.first[1]
	m.kids, m.first = m.kids[starts:], m.first[1:]
	for i := range m.first {
		m.first[i] -= starts
	}
	m.below = make([]impactSum, len(nodes))
	for i := range m.below {
		m.below[i] = impactSum{events: 1, last: int32(i)}
		if nodes[i].Failed {
			m.below[i].failed = 1
		}
	}
	m.up(func(child, parent int32) {
		c, p := m.below[child], &m.below[parent]
		p.events, p.failed = p.events+c.events, p.failed+c.failed
		if m.later(c.last, p.last, parent) {
			p.last = c.last
		}
	})
	m.near = m.near[starts:]
	return m
}

// grouped sorts nodes by a small number, and tells where each number begins.
func grouped(nodes []int32, numbers int, of func(int32) int32) (out, first []int32) {
	first = make([]int32, numbers+1)
	for _, i := range nodes {
		first[of(i)+1]++
	}
	for n := range numbers {
		first[n+1] += first[n]
	}
	out = make([]int32, len(nodes))
	next := slices.Clone(first)
	for _, i := range nodes {
		out[next[of(i)]] = i
		next[of(i)]++
	}
	return out, first
}

// up calls f with each node that has a parent, what is below a node before it.
func (m *Impact) up(f func(child, parent int32)) {
	for _, i := range slices.Backward(m.near) {
		if p := m.nodes[i].Parent; p >= 0 {
			f(i, p)
		}
	}
}

// later reports whether a ended after b, seen from a node: its own session
// tells, where one of them is there.
func (m *Impact) later(a, b, from int32) bool {
	if b == from {
		return true
	}
	home := m.nodes[from].Session
	if ownA, ownB := m.nodes[a].Session == home, m.nodes[b].Session == home; ownA != ownB {
		return ownA
	}
	return m.nodes[a].Compare(m.nodes[b]) > 0
}

// Len is how many events followed.
func (m *Impact) Len() int { return len(m.near) }

// Near gives nodes nearest first: from the n-th on, at most limit.
func (m *Impact) Near(n, limit int) []int32 {
	n = min(n, len(m.near))
	return m.near[n:min(len(m.near), n+limit)]
}

// Starts are the nodes that it begins with: of the events asked about.
func (m *Impact) Starts() []int32 {
	var out []int32
	for i, n := range m.nodes {
		if n.Parent >= 0 {
			break
		}
		out = append(out, int32(i))
	}
	return out
}

// Below gives the nodes right below one, in replay order.
func (m *Impact) Below(node int32) []int32 { return m.kids[m.first[node]:m.first[node+1]] }

// Depth is how many links lead from a node to a start.
func (m *Impact) Depth(node int32) int { return int(m.nodes[node].Depth) }

// Parent is the node above one; -1 of a start.
func (m *Impact) Parent(node int32) int32 { return m.nodes[node].Parent }
