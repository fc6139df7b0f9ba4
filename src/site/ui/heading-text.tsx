const joined = /(\S+-\S+)/;

/**
 * A heading's text. Hyphenated words ("TikTok-Video") are kept whole if they fit into a line: large letters on a narrow
 * screen would often break them.
 */
export function HeadingText({ children: text }: { children: string }) {
  if (!joined.test(text)) return text;
  return text.split(joined).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and never move
      <span key={at} className="whole-word">
        {part}
      </span>
    ),
  );
}
