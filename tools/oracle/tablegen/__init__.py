"""llvm-tblgen as the judge of how tdls reads TableGen."""
