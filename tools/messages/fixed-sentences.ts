/**
 * English sentences that are part of the product's contract with testers and monitors, as `page:key`: a message begins
 * with its sentence verbatim. Further help is in a second sentence, in the message or beside it (`hint.…` of `errors`).
 */
export const fixedSentences: Readonly<Record<string, string>> = {
  'tool:link.missing': 'Please paste a video address with https:// or http://',
  'errors:link_missing': 'Please paste a TikTok address with https:// or http://',
  'errors:link_invalid': 'Please enter a valid video URL',
  'tool:failure.network': 'Sorry, the video download failed, check your internet connection and retry',
  'tool:conversion.done': 'The download succeeded',
  'forms:failed.network': 'Network error, please try again later',
  'forms:sent': 'Message sent, reply within 48 hours',
  'common:error.not-found.title': 'This page could not be found',
  'common:error.post.title': 'Post not found',
  'common:error.unknown-step': 'Unknown middleware {name}',
  'errors:notice.title': 'An error occurred while showing the error page',
  'errors:notice.text':
    'Unfortunately an error occurred and while showing the error page another error occurred',
  'errors:notice.home': 'Go back to home',
};

/** Checks the fixed sentences. @param english the pages of the default language */
export function fixedProblems(english: ReadonlyMap<string, Readonly<Record<string, string>>>): string[] {
  return Object.entries(fixedSentences).flatMap(([name, sentence]) => {
    const [page = '', key = ''] = name.split(':');
    const message = english.get(page)?.[key];
    if (message === undefined || message.startsWith(sentence)) return [];
    return [`en/${page}.json: ${key} does not begin with "${sentence}"`];
  });
}
