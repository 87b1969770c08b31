/** Which texts are scripts. */

/** Operations of the dialect with or without quotes; a type or an attribute of it alone makes no script. */
const OPERATION =
  /(?:^|[\s"=])transform\.(?!any_|op\b|param\b|readonly\b|consumed\b|with_named_sequence\b)[a-z]/m;

/** True if the text of a file contains an operation of the Transform dialect outside of comments. */
export function isScript(text: string): boolean {
  return text.includes("transform.") && OPERATION.test(text.replace(/\/\/[^\n]*/g, ""));
}
