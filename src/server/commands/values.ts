import { UsageError } from './declaration.ts';

const mostDigits = 9;

/** Reads a whole number of at most nine digits. */
export const wholeNumber =
  (least: number, most = 10 ** mostDigits - 1) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new UsageError(
      most < 10 ** mostDigits - 1
        ? `"${text}" is no whole number from ${least} to ${most}`
        : `"${text}" is no whole number from ${least} on`,
    );
  };

/** Reads a text that has this form. @param must what the error says: "must be …" */
export const textLike =
  (form: RegExp, must: string) =>
  (text: string): string => {
    if (form.test(text)) return text;
    throw new UsageError(`"${text}" ${must}`);
  };
