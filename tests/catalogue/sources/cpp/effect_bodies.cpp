// Bodies of getEffects, each after what it is to do to the handles of transform.my.fuse; what is not named has no effect.

// expect:


// expect: target=consumes
consumesHandle(getTargetMutable(), effects);

// expect: anchor_op=reads
transform::onlyReadsHandle(getAnchorOpMutable(), effects);

// expect: target=consumes
::mlir::transform::consumesHandle(this->getTargetMutable(), effects);

// expect: target=consumes
consumesHandle(getTarget(), effects);

// expect: target=consumes
consumesHandle(target(), effects);

// expect: target=consumes anchor_op=consumes
consumesHandle({getTarget(), getAnchorOp()}, effects);

// expect: target=reads
onlyReadsHandle(ValueRange{getTarget()}, effects);

// expect: target=reads anchor_op=reads sizes=reads
onlyReadsHandle(getOperation()->getOpOperands(), effects);

// expect: target=reads anchor_op=reads sizes=reads
onlyReadsHandle((*this)->getOpOperands(), effects);

// expect: target=reads anchor_op=reads sizes=reads
onlyReadsHandle(this->getOperation()->getOperands(), effects);

// expect: target=consumes
consumesHandle(getOperation()->getOpOperand(0), effects);

// expect: target=consumes
consumesHandle(getTargetMutable()[0], effects);

// expect: target=consumes
consumesHandle(*getTargetMutable().begin(), effects);

// expect: target=unknown anchor_op=unknown sizes=unknown
consumesHandle(getSizesMutable()[0], effects);

// expect: target=unknown anchor_op=unknown sizes=unknown
onlyReadsHandle(getOperation()->getOpOperands().drop_front(), effects);

// expect: fused=produces loops=produces
producesHandle(getOperation()->getOpResults(), effects);

// expect: fused=produces loops=produces
producesHandle(getResults(), effects);

// expect: fused=produces
producesHandle(llvm::cast<OpResult>(getFused()), effects);

// expect: fused=produces
producesHandle(getFused().cast<OpResult>(), effects);

// expect:
producesHandle(getBody().front().getArguments(), effects);

// expect: target=reads
effects.emplace_back(MemoryEffects::Read::get(), &getTargetMutable(), TransformMappingResource::get());

// expect: target=consumes
effects.emplace_back(MemoryEffects::Read::get(), getTarget(), transform::TransformMappingResource::get());effects.push_back(MemoryEffects::EffectInstance(MemoryEffects::Free::get(), getTarget(), transform::TransformMappingResource::get()));

// expect:
effects.emplace_back(MemoryEffects::Write::get());

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
effects.emplace_back(MemoryEffects::Read::get(), getTarget(), getResource());

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
effects.append(other.begin(), other.end());

// expect: sizes=reads
for (OpOperand &operand : getSizesMutable())
  onlyReadsHandle(operand, effects);

// expect: target=unknown anchor_op=unknown sizes=unknown
for (auto it : llvm::zip(getSizesMutable(), values))
  consumesHandle(std::get<0>(it), effects);

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
llvm::for_each(getSizesMutable(), [&](OpOperand &size) { onlyReadsHandle(size, effects); });

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
for (unsigned i = 0; i < 2; ++i)
  consumesHandle(getOperation()->getOpOperand(i), effects);

// expect: target=unknown
for (OpOperand &size : getSizesMutable()) onlyReadsHandle(getTargetMutable(), effects);

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
for (OpOperand &operand : getOperation()->getOpOperands()) {
  if (isParam(operand)) continue;
  consumesHandle(operand, effects);
}

// expect: target=unknown
if (something()) return;
consumesHandle(getTargetMutable(), effects);

// expect: target=unknown
if (something()) onlyReadsHandle(getTargetMutable(), effects);
else consumesHandle(getTargetMutable(), effects);

// expect: target=consumes
if (something()) { consumesHandle(getTargetMutable(), effects); return; }
consumesHandle(getTargetMutable(), effects);

// expect: anchor_op=consumes
if (getAnchorOp())
  consumesHandle(getAnchorOpMutable(), effects);

// expect: anchor_op=consumes
if (!getAnchorOpMutable().empty())
  consumesHandle(getAnchorOpMutable()[0], effects);

// expect: anchor_op=reads
if (Value anchor = getAnchorOp())
  onlyReadsHandle(anchor, effects);

// expect: target=unknown
if (getAnchorOp())
  consumesHandle(getTargetMutable(), effects);

// expect: target=consumes
auto &target = getTargetMutable();
consumesHandle(target, effects);

// expect: target=unknown anchor_op=unknown sizes=unknown
Value handle = getTarget();
handle = getAnchorOp();
consumesHandle(handle, effects);

// expect: target=unknown anchor_op=unknown sizes=unknown
Value handle = getTarget();
{ Value handle = getAnchorOp(); }
consumesHandle(handle, effects);

// expect: target=consumes anchor_op=consumes
SmallVector<Value> handles{getTarget(), getAnchorOp()};
consumesHandle(handles, effects);

// expect: target=unknown anchor_op=unknown sizes=unknown
SmallVector<Value> handles{getTarget()};
handles.push_back(getAnchorOp());
consumesHandle(handles, effects);

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
auto reads = [&](OpOperand &operand) { onlyReadsHandle(operand, effects); };
reads(getTargetMutable());

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
auto defaults = [&] { onlyReadsHandle(getOperation()->getOpOperands(), effects); };
if (!known()) return defaults();
consumesHandle(getOperation()->getOpOperands(), effects);

// expect: target=consumes anchor_op=unknown sizes=unknown fused=unknown loops=unknown
consumesHandle(getTargetMutable(), effects);
addMore(effects);

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
switch (getDepth()) {
case 1: consumesHandle(getTargetMutable(), effects); break;
default: break;
}

// expect: target=unknown anchor_op=unknown sizes=unknown
onlyReadsHandle(cond ? getTargetMutable() : getSizesMutable(), effects);

// expect:
const char *text = "consumesHandle(getTargetMutable(), effects);"; // } " '

// expect:
/* consumesHandle(getTargetMutable(), effects); } */ (void)effects;

// expect:
auto raw = R"x(} consumesHandle(getTarget(), effects); )x";

// expect:
#if 0
consumesHandle(getTargetMutable(), effects);
#endif

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
consumesHandle(getTargetMutable(), effects);
#ifdef WITH_SIZES
onlyReadsHandle(getSizesMutable(), effects);
#else
consumesHandle(getSizesMutable(), effects);
#endif

// expect: sizes=reads
#if 0
consumesHandle(getSizesMutable(), effects);
}}
#else
onlyReadsHandle(getSizesMutable(), effects);
#endif

// expect: target=consumes fused=produces loops=produces
Operation *op = this->getOperation();
auto *resource = transform::TransformMappingResource::get();
effects.emplace_back(MemoryEffects::Read::get(), getTarget(), resource);
effects.emplace_back(MemoryEffects::Free::get(), getTarget(), resource);
for (Value result : op->getResults()) {
  effects.emplace_back(MemoryEffects::Allocate::get(), result, resource);
  effects.emplace_back(MemoryEffects::Write::get(), result, resource);
}

// expect: target=unknown anchor_op=reads
onlyReadsHandle({this->getOperation()->getOperand(0), getAnchorOp()}, effects);
if (getDepth() > 1)
  effects.emplace_back(MemoryEffects::Free::get(), getTarget(), TransformMappingResource::get());

// expect: target=unknown anchor_op=unknown sizes=unknown
consumesHandle(getOperation()->getOpOperands().take_front(2), effects);

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
for (OpOperand &size : getSizesMutable()) {
  consumesHandle(size, effects);
  if (something())
    return;
}

// expect: target=unknown
bool modifies = false;
getBody().walk([&](Operation *op) { modifies = true; });
if (modifies)
  consumesHandle(getTargetMutable(), effects);

// expect: target=unknown
bool modifies = false;
findOut(getOperation(), modifies);
if (modifies)
  consumesHandle(getTargetMutable(), effects);

// expect: target=reads
bool modifies = false;
auto isOdd = [&](Value value) { return odd(value); };
if (modifies || (llvm::all_of(getOperands(), isOdd) && false))
  consumesHandle(getTargetMutable(), effects);
else
  onlyReadsHandle(getTargetMutable(), effects);

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
auto read = [&](OpOperand &operand) { onlyReadsHandle(operand, effects); };
llvm::for_each(getSizesMutable(), read);

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
auto read = [&](OpOperand &operand) { onlyReadsHandle(operand, effects); };
auto other = read;
other(getTargetMutable());

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
auto read = [&](OpOperand &operand) { onlyReadsHandle(operand, effects); };
apply(getOperation(), read);

// expect: target=unknown anchor_op=unknown sizes=unknown fused=unknown loops=unknown
if (getKeep())
  while (odd()) next();
consumesHandle(getTargetMutable(), effects);

// expect: anchor_op=unknown sizes=consumes
for (OpOperand &each : getSizesMutable()) {
  for (OpOperand &each : getAnchorOpMutable())
    onlyReadsHandle(each, effects);
  consumesHandle(each, effects);
}
