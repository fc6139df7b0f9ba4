/** Something wrong in a file that an operator wrote. */
export interface Problem {
  /** Path of the file, as the operator named the folder. */
  readonly file: string;
  /** 1 is the first line; 0 when it is about the file as a whole. */
  readonly line: number;
  readonly reason: string;
}

/** Nothing was changed, because some files are invalid. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
    super(`Nothing was changed, because of ${problems.length} mistake(s):\n${lines.join('\n')}`);
    this.problems = problems;
  }
}
