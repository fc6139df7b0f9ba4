/** JSON as the platform writes it into a page: no raw `/` or `<`. */
export function pageJson(value: unknown): string {
  return escapeForPage(JSON.stringify(value));
}

/** The same for a piece of text inside such JSON. */
export function escapeForPage(text: string): string {
  return text.replaceAll('/', '\\u002F').replaceAll('<', '\\u003C');
}

const WORDS = [
  ...'about account again allow already also another ask available back because before block browser cancel change'.split(
    ' ',
  ),
  ...'choose comment contact continue copy country create device enter error explore failed feature file find follow'.split(
    ' ',
  ),
  ...'friends help language later learn like link live log message more music name network number open page password'.split(
    ' ',
  ),
  ...'phone play please policy post privacy profile provide remove reply report request safety save search see select'.split(
    ' ',
  ),
  ...'send settings share show sign something sound story support switch terms time try turn unavailable update use'.split(
    ' ',
  ),
  ...'user verify video view visit watch wrong your'.split(' '),
];

/** Texts of the platform's own interface that fill this many bytes of JSON; the same in every run. */
export function interfaceTexts(bytes: number): Record<string, string> {
  const texts: Record<string, string> = { webapp_error_video_unavailable: 'Video is unavailable' };
  let state = 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  for (let size = 80, entry = 0; size < bytes; entry += 1) {
    const words = Array.from({ length: 3 + random(14) }, () => WORDS[random(WORDS.length)] ?? '');
    const key = `${words[0]}_${words[1]}_${entry.toString(36)}`;
    const text = words.join(' ');
    texts[key] = text;
    size += key.length + text.length + 6;
  }
  return texts;
}
