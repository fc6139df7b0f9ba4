/** Whole programs that use the API, ready to be copied. @param origin the site's, without a last slash */

/** Saves the first option of each link in `links.txt`; waits as `Retry-After` says. */
export const linksRecipe = (origin: string) => `# sh save.sh, with one link in each line of links.txt
while IFS= read -r link; do
  href=$(curl -sS --retry 5 ${origin}/api/resolve -H 'content-type: application/json' \\
    -d "{ \\"url\\": \\"$link\\" }" | sed 's/.*"options"://' | grep -o '"href":"[^"]*"' |
    head -n 1 | cut -d '"' -f 4)
  if [ -n "$href" ]; then curl -sS --retry 5 -OJ "${origin}$href"; else echo "not saved: $link" >&2; fi
done < links.txt`;

/** A bot that answers a message with the post's first option. */
export const telegramRecipe = (
  origin: string,
) => `// TELEGRAM_TOKEN=… node bot.mjs, with a token from @BotFather and Node 20 or newer
const site = '${origin}';
const { TELEGRAM_API = 'https://api.telegram.org', TELEGRAM_TOKEN } = process.env;
const headers = { 'content-type': 'application/json', 'user-agent': 'my-telegram-bot' };

async function telegram(method, body) {
  const sent = body instanceof FormData ? { body } : { body: JSON.stringify(body), headers };
  const response = await fetch(\`\${TELEGRAM_API}/bot\${TELEGRAM_TOKEN}/\${method}\`, { method: 'POST', ...sent });
  return (await response.json()).result;
}

async function answer({ chat: { id: chat_id }, text }) {
  const asked = { method: 'POST', headers, body: JSON.stringify({ url: text }) };
  const { result, error } = await (await fetch(\`\${site}/api/resolve\`, asked)).json();
  if (error) return telegram('sendMessage', { chat_id, text: error.message });
  const file = await fetch(site + result.options[0].href, { headers });
  const name = /filename="?([^";]+)/.exec(file.headers.get('content-disposition'))?.[1];
  // Bots may send 50 MB.
  if (!file.ok || Number(file.headers.get('content-length')) > 50e6)
    return telegram('sendMessage', { chat_id, text: \`\${site}/?url=\${encodeURIComponent(result.post.url)}\` });
  const form = new FormData();
  form.set('chat_id', String(chat_id));
  form.set('caption', result.post.title.slice(0, 1000));
  form.set('document', await file.blob(), name);
  return telegram('sendDocument', form);
}

for (let offset = 0; ; ) {
  for (const { update_id, message } of (await telegram('getUpdates', { offset, timeout: 50 })) ?? []) {
    offset = update_id + 1;
    if (message?.text) await answer(message).catch(console.error);
  }
}`;

/** Opens the post of the page that is shown. */
export const bookmarkletRecipe = (origin: string) =>
  `javascript:open('${origin}/?url='+encodeURIComponent(location.href))`;

/** The actions of a shortcut, by their English names. */
export const shortcutRecipe = (origin: string) => `Receive  URLs and Text  from  Share Sheet
Get Contents of URL  ${origin}/api/resolve
    Method: POST   Request Body: JSON   url: Shortcut Input
Get Dictionary Value  Value for  result.options  in  Contents of URL
Get Item from List  First Item  from  Dictionary Value
Get Dictionary Value  Value for  href  in  Item from List
Get Contents of URL  ${origin}[Dictionary Value]
Save to Photo Album  Contents of URL`;
