package main

// #include "sctpmpi.h"
import "C"

// category is a group of variables. Control variables are all in one. The categories do not change.
type category struct {
	name, about string
}

// The categories, by their indices. The first one has the others.
const (
	rootCategory = iota
	settingCategory
	messageCategory
	networkCategory
)

var categories = []category{
	rootCategory:    {"sctpmpi", "the library"},
	settingCategory: {"settings", "the settings of the environment"},
	messageCategory: {"messages", "messages and operations of this process"},
	networkCategory: {"network", "what messages take of the operating system"},
}

// indices are those of a list of n that are in a category.
func indices(n int, in func(i int) bool) (list []int) {
	for i := range n {
		if in(i) {
			list = append(list, i)
		}
	}
	return list
}

// The indices of the control variables of a category, of its performance variables, its categories and its events.
func controlsIn(index int) []int {
	return indices(len(controls), func(int) bool { return index == settingCategory })
}

func countersIn(index int) []int {
	return indices(len(counters), func(i int) bool { return counters[i].category == index })
}

func categoriesIn(index int) []int {
	return indices(len(categories), func(i int) bool { return index == rootCategory && i != rootCategory })
}

func eventsIn(int) []int { return nil }

func mpiTCategoryGetNum() int { return len(categories) }

func mpiTCategoryGetInfo(index C.int) (name, about string, cvars, pvars, subcategories int, err error) {
	c, err := elementAt(categories, index)
	i := int(index)
	return c.name, c.about, len(controlsIn(i)), len(countersIn(i)), len(categoriesIn(i)), err
}

func mpiTCategoryGetNumEvents(index C.int) (int, error) {
	_, err := elementAt(categories, index)
	return len(eventsIn(int(index))), err
}

func mpiTCategoryGetIndex(name *C.char, index *C.int) error {
	return tellIndex(index, name, len(categories), func(i int, name string) bool { return categories[i].name == name })
}

// members writes the first indices of what a category has.
func members(index, room C.int, to *C.int, in func(index int) []int) error {
	if _, err := elementAt(categories, index); err != nil {
		return err
	}
	if room < 0 {
		return toolInvalid
	}
	intsTo(to, room, in(int(index)))
	return nil
}

func mpiTCategoryGetCvars(index, room C.int, to *C.int) error {
	return members(index, room, to, controlsIn)
}
func mpiTCategoryGetPvars(index, room C.int, to *C.int) error {
	return members(index, room, to, countersIn)
}
func mpiTCategoryGetEvents(index, room C.int, to *C.int) error {
	return members(index, room, to, eventsIn)
}

func mpiTCategoryGetCategories(index, room C.int, to *C.int) error {
	return members(index, room, to, categoriesIn)
}

func mpiTCategoryChanged() int { return 1 }
