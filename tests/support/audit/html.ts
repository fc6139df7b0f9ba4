import { HtmlValidate } from 'html-validate';
import type { CrawledPage } from './crawl.ts';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // React's style: parsers ignore all of these.
    'void-style': 'off',
    'doctype-style': 'off',
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'no-trailing-whitespace': 'off',
    'script-type': 'off',
    // Matters of length, which the check of texts covers.
    'long-title': 'off',
    // Files of this site have their hash in their name.
    'require-sri': 'off',
    // React's `useId`.
    'valid-id': ['error', { relaxed: true }],
    // Elements that React hoists into the head may follow scripts there.
    'no-inline-style': 'error',
  },
});

/** A validator's complaints about a page, one line each. */
export async function checkHtml({ path, html }: CrawledPage): Promise<string[]> {
  const report = await validator.validateString(html, path);
  return report.results.flatMap(({ messages }) =>
    messages
      .filter(({ severity }) => severity === 2)
      .map(
        ({ ruleId, message, offset }) =>
          `${path}: ${ruleId}: ${message} (${html.slice(Math.max(0, offset - 40), offset + 60)})`,
      ),
  );
}
