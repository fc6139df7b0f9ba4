import { randomUUID } from 'node:crypto';
import type { OfferedRequest } from './offered.ts';

const visitor = { token_id: randomUUID(), s_id: randomUUID(), doc_id: randomUUID() };
const report = () => ({
  upload_id: randomUUID(),
  mode: 'page_view',
  data: {
    ...visitor,
    url: 'https://clipferry.example/de/tiktok-downloader',
    referer_url: 'https://clipferry.example/de',
    finger_id: randomUUID(),
    scroll_height: 4200,
    viewport_height: 740,
    viewport_width: 360,
    web_version: '2.2.6',
    ga_ids: { year: '2026', day: '2026-11-22' },
    lang_domain: 'de.clipferry.example',
    xargs_request_type: 'send_beacon',
    highest_page_viewed_percent: 40,
    ab_try_list: ['sidebarAB', 'resourceBannerAB'].map((key) => ({
      key,
      version: '1',
      value: 'a',
      expire_day: 30,
    })),
    visit_timestamp: 1_795_000_000_000,
  },
});

/** Reports of one visitor's browser, as the site's own script sends them. @param each so many in a request */
export const reports = (each: number) => (): OfferedRequest => ({
  path: '/api/web/report',
  method: 'POST',
  body: JSON.stringify(each === 1 ? report() : Array.from({ length: each }, report)),
});
