// Package codes replaces arguments that are only copied and compared with constants by Booleans.
package codes
