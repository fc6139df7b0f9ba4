import { readFileSync } from 'node:fs';
import { type Dispatcher, ProxyAgent, request } from 'undici';
import type { TiktokDouble } from './server.ts';

/** A user agent of an ordinary browser. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/155.0.0.0 Safari/537.36';

export interface Got {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Buffer;
}

/** Sends requests to the double through its proxy, like the product. */
export class Client {
  readonly #agent: ProxyAgent;

  constructor(double: TiktokDouble, allowH2 = false) {
    this.#agent = new ProxyAgent({
      uri: double.proxyUrl,
      allowH2,
      requestTls: { ca: readFileSync(double.caFile) },
    });
  }

  async get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET'): Promise<Got> {
    const response = await request(url, {
      dispatcher: this.#agent,
      method,
      headers: { 'user-agent': BROWSER, ...headers },
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      body: Buffer.from(await response.body.arrayBuffer()),
    };
  }

  /** Reads a post's page: its cookies and its scope. */
  async readPost(url: string): Promise<{ cookie: string; detail: PostDetail | undefined }> {
    const { headers, body } = await this.get(url);
    const data = /__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application\/json">(.*?)<\/script>/.exec(
      body.toString(),
    );
    const scope = JSON.parse(data?.[1] ?? '{}').__DEFAULT_SCOPE__ ?? {};
    const cookie = [headers['set-cookie'] ?? []]
      .flat()
      .map((line) => line.split(';')[0])
      .join('; ');
    return { cookie, detail: scope['webapp.video-detail'] };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** The parts of a page that tests check. */
export interface PostDetail {
  readonly statusCode: number;
  readonly statusMsg: string;
  readonly itemInfo: {
    readonly itemStruct: {
      readonly id: string;
      readonly desc: string;
      readonly video: {
        readonly playAddr: string;
        readonly downloadAddr?: string;
        readonly cover: string;
        readonly size: string;
        readonly PlayAddrStruct: { readonly UrlList: readonly string[] };
      };
      readonly music?: { readonly playUrl?: string };
      readonly imagePost?: {
        readonly images: ReadonlyArray<{ readonly imageURL: { readonly urlList: readonly string[] } }>;
      };
    };
  };
}
