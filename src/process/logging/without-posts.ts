/** Longer texts are cut: somebody may have made them up. */
const maxTextLength = 8000;

const omitted = '…';

/**
 * What names a post or whose it is. Each pattern begins where nothing of its kind could have begun before, so that the
 * time it takes grows with the length of a text alone.
 */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(https?:\/\/[^/\s"'`<>()[\]]*)[^\s"'`<>)\]]*/gi, `$1/${omitted}`],
  [/(?<![\w.-])((?:[\w-]+\.)*(?:tiktok[\w-]*|douyin)\.com)[^\s"'`<>)\]]*/gi, `$1/${omitted}`],
  // Ids, also in the name of a file.
  [/(?<![^\s/"'`:=])[^\s/"'`:=]*\d{15,}[^\s/"'`]*/g, omitted],
  // Handles; packages have such names too.
  [/(?<!node_modules\/)(?<![\w.])@[\p{L}\p{N}_.-]+/gu, `@${omitted}`],
  // Codes of short links.
  [/\/Z[A-Za-z0-9]{6,12}(?![\w.-])/g, `/${omitted}`],
];

/** Whether a text could match any of them: most paths do not. */
const suspicious = /[@%]|\d{15}|tiktok|douyin|https?:|\/Z/i;

/**
 * A text without links to posts, their ids and their authors, of 8,000 characters at most. A line of the log that names
 * a visitor, or a request of one, must not say what was asked for.
 */
export const withoutPosts = (text: string): string =>
  patterns.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text.slice(0, maxTextLength));

/**
 * The same for the path of a request, which is left as it was written where nothing is found. People put a link behind
 * the name of the site, or the name of the site in place of the platform's.
 */
export function pathWithoutPosts(path: string): string {
  if (!suspicious.test(path)) return path.slice(0, maxTextLength);
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch (error) {
    // Percent signs that encode no character stand for themselves.
    if (!(error instanceof URIError)) throw error;
  }
  const clean = withoutPosts(decoded);
  return clean === decoded ? path.slice(0, maxTextLength) : clean;
}
