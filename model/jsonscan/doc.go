// Package jsonscan finds spans in JSON text: the values of a stream, the
// fields of an object, the elements of an array. It never builds trees, never
// recurses, keeps numbers as text and keys by exact case, and leaves the bytes
// where they are.
//
// Value validates; everything that takes a value apart (Fields, Get, Text and
// so on) expects validated text and is several times faster for it. Given
// anything else those functions answer nonsense, but they neither panic nor
// loop.
package jsonscan
