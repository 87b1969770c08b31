declare module "*.py" {
  const text: string;
  export default text;
}
declare module "*.mlir" {
  const text: string;
  export default text;
}
