"""Output of results as text: findings in several formats, recorded runs, syntax trees and the page of rules."""
