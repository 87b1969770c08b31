func.func @work(%block: !quarry.block<12, "north">, %size: index) {
  %piece = quarry.cut %block to <fine> : !quarry.block<12, "north">
  quarry.bench @first(%size) {
    quarry.haul %piece, %piece
  }
  return
}
