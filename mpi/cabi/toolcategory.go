package main

/*
#include "sctpmpi.h"
*/
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

// controlsIn are the indices of the control variables of a category.
func controlsIn(index int) (list []int) {
	for i := range controls {
		if index == settingCategory {
			list = append(list, i)
		}
	}
	return list
}

// countersIn are the indices of the performance variables of a category.
func countersIn(index int) (list []int) {
	for i, c := range counters {
		if c.category == index {
			list = append(list, i)
		}
	}
	return list
}

// categoriesIn are the indices of the categories of a category.
func categoriesIn(index int) (list []int) {
	for i := range categories {
		if index == rootCategory && i != rootCategory {
			list = append(list, i)
		}
	}
	return list
}

func eventsIn(int) []int { return nil }

//export sctpmpi_T_category_get_num
func sctpmpi_T_category_get_num(num *C.int) C.int {
	return inTool(func() class {
		tell(num, C.int(len(categories)))
		return success
	})
}

//export sctpmpi_T_category_get_info
func sctpmpi_T_category_get_info(index C.int, name *C.char, nameLength *C.int, desc *C.char, descLength *C.int,
	cvars, pvars, subcategories *C.int) C.int {
	return inTool(func() class {
		c, ok := elementAt(categories, index)
		if !ok {
			return toolInvalidIndex
		}
		tellText(name, nameLength, c.name)
		tellText(desc, descLength, c.about)
		tell(cvars, C.int(len(controlsIn(int(index)))))
		tell(pvars, C.int(len(countersIn(int(index)))))
		tell(subcategories, C.int(len(categoriesIn(int(index)))))
		return success
	})
}

//export sctpmpi_T_category_get_num_events
func sctpmpi_T_category_get_num_events(index C.int, num *C.int) C.int {
	return inTool(func() class {
		if _, ok := elementAt(categories, index); !ok {
			return toolInvalidIndex
		}
		tell(num, C.int(len(eventsIn(int(index)))))
		return success
	})
}

//export sctpmpi_T_category_get_index
func sctpmpi_T_category_get_index(name *C.char, index *C.int) C.int {
	return inTool(func() class {
		return tellIndex(index, name, len(categories), func(i int, name string) bool { return categories[i].name == name })
	})
}

// members writes the first indices of what a category has.
func members(index, room C.int, to *C.int, in func(index int) []int) C.int {
	return inTool(func() class {
		switch _, ok := elementAt(categories, index); {
		case !ok:
			return toolInvalidIndex
		case room < 0:
			return toolInvalid
		}
		intsTo(to, room, in(int(index)))
		return success
	})
}

//export sctpmpi_T_category_get_cvars
func sctpmpi_T_category_get_cvars(index, room C.int, indices *C.int) C.int {
	return members(index, room, indices, controlsIn)
}

//export sctpmpi_T_category_get_pvars
func sctpmpi_T_category_get_pvars(index, room C.int, indices *C.int) C.int {
	return members(index, room, indices, countersIn)
}

//export sctpmpi_T_category_get_events
func sctpmpi_T_category_get_events(index, room C.int, indices *C.int) C.int {
	return members(index, room, indices, eventsIn)
}

//export sctpmpi_T_category_get_categories
func sctpmpi_T_category_get_categories(index, room C.int, indices *C.int) C.int {
	return members(index, room, indices, categoriesIn)
}

//export sctpmpi_T_category_changed
func sctpmpi_T_category_changed(number *C.int) C.int {
	return inTool(func() class {
		tell(number, 1)
		return success
	})
}
