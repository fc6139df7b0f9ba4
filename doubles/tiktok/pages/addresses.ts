import { fileKey } from '../media/files.ts';
import { gatewayUrl, imageUrl, type PrimeFile, pathSignedUrl, primeUrl } from '../media/signing.ts';
import type { MusicContent, PostScenario } from '../scenarios/scenario.ts';
import type { Slots } from './template.ts';

const IMAGE_HOSTS = ['p16-common-sign.tiktokcdn-us.com', 'p19-common-sign.tiktokcdn-us.com'] as const;

/** Short-lived addresses of a post's files, as slots of a page. */
export class Addresses {
  readonly #slots: Slots;
  readonly #seconds: number;

  constructor(slots: Slots, { post }: PostScenario) {
    this.#slots = slots;
    this.#seconds = post.media.kind === 'video' ? post.media.seconds : 0;
  }

  id(): string {
    return this.#slots.add(({ id }) => id);
  }

  prime(host: string, what: string, file: PrimeFile = {}): string {
    return this.#slots.add((minting) =>
      primeUrl(minting, host, fileKey(minting.id, what), this.#seconds, file),
    );
  }

  gateway(what: string): string {
    return this.#slots.add((minting) => gatewayUrl(minting, fileKey(minting.id, what)));
  }

  /** Needs no cookie. */
  free(what: string, host = 'v16m.tiktokcdn-us.com'): string {
    return this.#slots.add((minting) =>
      pathSignedUrl(minting, host, fileKey(minting.id, what), this.#seconds, 'video_mp4'),
    );
  }

  sound(music: MusicContent): string {
    return this.#slots.add((minting) =>
      music.file === 'm4a'
        ? pathSignedUrl(
            minting,
            'v16m.tiktokcdn-us.com',
            fileKey(minting.id, 'sound'),
            music.seconds,
            'audio_mp4',
          )
        : pathSignedUrl(
            minting,
            'sf16-music-sign.tiktokcdn-us.com',
            fileKey(minting.id, 'sound'),
            music.seconds,
            'audio_mpeg',
          ),
    );
  }

  /** The same picture on both hosts. */
  image(what: string, suffix: string): [string, string] {
    const [first, second] = IMAGE_HOSTS.map((host) =>
      this.#slots.add((minting) => imageUrl(minting, host, fileKey(minting.id, what), suffix)),
    );
    return [first ?? '', second ?? ''];
  }
}
