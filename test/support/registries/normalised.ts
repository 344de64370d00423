/** Counts the characters that reach Unicode normalisation while `run` runs. Only one call may run at a time. */
export async function charactersNormalised(run: () => unknown): Promise<number> {
  const original = String.prototype.normalize;
  let characters = 0;
  String.prototype.normalize = function (this: string, form?: string) {
    characters += this.length;
    return original.call(this, form);
  };
  try {
    await run();
  } finally {
    String.prototype.normalize = original;
  }
  return characters;
}
