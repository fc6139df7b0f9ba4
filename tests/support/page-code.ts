/** The path of the built file with a page's own code: its document names it, and the home page's does not. */
export async function pageFile(origin: string, path: string): Promise<string> {
  const [home = '', document = ''] = await Promise.all(
    ['/', path].map(async (one) => (await fetch(origin + one)).text()),
  );
  const scripts = [...document.matchAll(/"(\/_app\/[^"]+\.js)"/g)].map(([, script = '']) => script);
  const own = scripts.find((script) => !home.includes(script));
  if (own === undefined) throw new Error(`${path} has no file of its own`);
  return own;
}
