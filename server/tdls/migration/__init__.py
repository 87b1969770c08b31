"""Operations written as another version of LLVM writes them."""
