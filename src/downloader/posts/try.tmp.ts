import { readFileSync } from 'node:fs';
import { createPlatformNetwork } from '../network/platform-network.ts';
import { createTiktokExtractor } from '../extractors/tiktok/extractor.ts';
import { tiktokHosts } from '../extractors/tiktok/hosts.ts';
import { createPostResolver } from './resolver.ts';
import { asFailure } from '../failures.ts';
const info = JSON.parse(readFileSync('/tmp/dbl/out.json', 'utf8'));
const network = createPlatformNetwork({ hosts: tiktokHosts, proxy: { httpsProxy: info.proxyUrl } });
for (const [name, link] of Object.entries(info.links)) {
  const resolver = createPostResolver({ extractors: [createTiktokExtractor({ network })], honourSavingOff: false });
  const t = performance.now();
  let out: string;
  try { const p = await resolver.resolveText(link as string, new AbortController().signal);
    out = `${p.readBy} ${p.kind} ${p.videos.map(v => `${v.width}x${v.height} ${v.codec} ${v.source.urls.length}`).join(', ')} pics ${p.pictures.length} sound ${p.sound !== null}`;
  } catch (e) { out = asFailure(e).message; }
  console.log(name.padEnd(34), Math.round(performance.now() - t), out.slice(0,150));
}
await network.close();
