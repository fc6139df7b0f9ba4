import type { ErrorResponse, ResolveResponse } from '../../src/site/api.ts';
import { type PlatformProcess, startPlatform } from './platform.ts';
import { type ProductOptions, type RunningProduct, startProduct } from './product.ts';

/** The product and the platform's double, running side by side. */
export interface Journey {
  readonly platform: PlatformProcess;
  readonly product: RunningProduct;
  /** `POST /api/resolve` with a text, or with the link of one of the double's posts. */
  resolve(
    nameOrText: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; answer: ResolveResponse | ErrorResponse }>;
  /** The `href` of one option of a post. @throws when it is not offered */
  href(name: string, option: string): Promise<string>;
  /** Sends a request to the product. */
  get(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

export interface JourneyOptions extends ProductOptions {
  /** A double that already runs; it is not stopped with the journey. */
  readonly platform?: PlatformProcess;
}

/** Starts what a journey needs. */
export async function startJourney({ platform: given, ...options }: JourneyOptions = {}): Promise<Journey> {
  const platform = given ?? (await startPlatform());
  const env = { ...platform.environment, ...options.env };
  const product = await startProduct({ ...options, env }).catch(async (error: unknown) => {
    if (given === undefined) await platform.stop();
    throw error;
  });
  const get = (path: string, init?: RequestInit) => fetch(product.origin + path, init);

  async function resolve(nameOrText: string, headers: Record<string, string> = {}) {
    const url = platform.links[nameOrText] ?? nameOrText;
    const response = await get('/api/resolve', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ url }),
    });
    return { status: response.status, answer: (await response.json()) as ResolveResponse | ErrorResponse };
  }

  return {
    platform,
    product,
    resolve,
    get,
    async href(name, id) {
      const { answer } = await resolve(name);
      const option = 'result' in answer ? answer.result.options.find((one) => one.id === id) : undefined;
      if (option === undefined) throw new Error(`${name} does not offer ${id}: ${JSON.stringify(answer)}`);
      return option.href;
    },
    async stop() {
      await product.stop();
      if (given === undefined) await platform.stop();
    },
  };
}
