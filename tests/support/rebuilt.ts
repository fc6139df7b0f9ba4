/** The name of a built file in a text. */
const builtFile = /((?:_app|\.)\/[\w.-]+?-[\w-]{8})(\.(?:js|css))/g;

/** The mark in the names of all files of another build. */
export const buildMark = 'v2';

/** A text of the product as another build would have it: all its files have other names. */
export const rebuilt = (text: string) =>
  text.replace(builtFile, `$1${buildMark}$2`).replace(/("version":"\w+)"/, `$1${buildMark}"`);
