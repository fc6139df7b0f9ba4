/** Longer texts are cut: they may be forged. */
const maxTextLength = 8000;

const omitted = '…';

/**
 * Patterns for the names of posts and authors. Each begins where no earlier match could have begun, so that the time is
 * linear in the text's length.
 */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(https?:\/\/[^/\s"'`<>()[\]]*)[^\s"'`<>)\]]*/gi, `$1/${omitted}`],
  [/(?<![\w.-])((?:[\w-]+\.)*(?:tiktok[\w-]*|douyin)\.com)[^\s"'`<>)\]]*/gi, `$1/${omitted}`],
  // Ids, also in the name of a file.
  [/(?<![^\s/"'`:=])[^\s/"'`:=]*\d{15,}[^\s/"'`]*/g, omitted],
  // Handles; package names have the same form.
  [/(?<!node_modules\/)(?<![\w.])@[\p{L}\p{N}_.-]+/gu, `@${omitted}`],
  // Codes of short links.
  [/\/Z[A-Za-z0-9]{6,12}(?![\w.-])/g, `/${omitted}`],
];

/** Whether a text could match any of them: most paths do not. */
const suspicious = /[@%]|\d{15}|tiktok|douyin|https?:|\/Z/i;

/**
 * Removes links to posts, their ids and their authors; returns at most 8,000 characters. A log line that names a
 * visitor, or a visitor's request, must not reveal the requested post.
 */
export const withoutPosts = (text: string): string =>
  patterns.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text.slice(0, maxTextLength));

/**
 * Removes them from the path of a request, which stays as written when there are none. Visitors append links to the
 * site's name, or replace the platform's name by the site's.
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
