const joined = /(\S+-\S+)/;

/**
 * A heading's text. Words joined by a hyphen ("TikTok-Video") stay whole where a line can hold them: large letters on
 * a narrow screen would break them apart more often than not.
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
