import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readyResponse } from '../../src/api/schemas.ts';
import { createTickets } from '../../src/downloader/tickets/tickets.ts';
import { sample } from '../support/audit/scope.ts';
import { originalMotion, originalPicture, originalSong, originalVideo } from '../support/clips.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { arrivalOf, bytesOf, digest, postOf, secret } from '../support/ticketed-files.ts';
import { readZip, type ZippedFile } from '../support/zip.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney({ env: { SECRET_KEY: secret } });
});
afterAll(() => journey.stop());

describe('pictures', () => {
  test('a slideshow returns each picture as JPEG', async () => {
    for (const number of [1, 2, 3, 4]) {
      const response = await journey.get(await journey.href('photos', `jpg-${number}`));
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect((await bytesOf(response)).subarray(0, 3).toString('hex')).toBe('ffd8ff');
    }
  });

  test('a picture that already is JPEG comes unchanged, another is converted at the same size', async () => {
    for (const number of [1, 2, 4]) {
      const bytes = await bytesOf(await journey.get(await journey.href('photos', `jpg-${number}`)));
      expect(digest(bytes)).toBe(digest(originalPicture('photos', number)));
    }
    const made = await bytesOf(await journey.get(await journey.href('photos', 'jpg-3')));
    expect(await sharp(made).metadata()).toMatchObject({ format: 'jpeg', width: 1080, height: 1080 });
  });

  test.each(sample([4, 99], (index) => index === 99))(
    'a picture that the post does not have (index %i) is an error',
    async (index) => {
      const tickets = createTickets({ secret: Buffer.from(secret), now: Date.now });
      const ticket = tickets.sign({ kind: 'picture', post: postOf(journey, 'photos'), index });
      const response = await journey.get(`/api/files/${ticket}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { key: 'option_missing' } });
    },
  );

  test('all of them come as a zip, in their order, each the same as alone', async () => {
    const response = await journey.get(await journey.href('photos', 'zip'));
    expect(response.headers.get('content-type')).toBe('application/zip');
    const id = postOf(journey, 'photos').id;
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename=ferry.captain-${id}.zip`);
    const files = readZip(await bytesOf(response));
    expect(files.map(({ name }) => name)).toEqual(
      ['01', '02', '03', '04'].map((number) => `ferry.captain-${id}-${number}.jpg`),
    );
    for (const [at, { bytes }] of files.entries()) {
      const alone = await bytesOf(await journey.get(await journey.href('photos', `jpg-${at + 1}`)));
      expect(digest(bytes)).toBe(digest(alone));
    }
  });

  test('the longest slideshow arrives whole', async () => {
    const archive = await bytesOf(await journey.get(await journey.href('photos-35', 'zip')));
    const files = readZip(archive);
    expect(files).toHaveLength(35);
    expect(digest(files[33]?.bytes ?? archive)).toBe(digest(originalPicture('photos-35', 34)));
  });

  test('covers and previews are small, come from here, and may be cached', async () => {
    const { answer } = await journey.resolve('photos');
    if (!('result' in answer)) throw new Error('not resolved');
    const addresses = [answer.result.post.cover_url, answer.result.options[0]?.preview_url];
    for (const address of addresses) {
      const response = await journey.get(address ?? '');
      expect(response.headers.get('content-type')).toBe('image/webp');
      expect(response.headers.get('cache-control')).toContain('public');
    }
  });

  test('pictures that the first host refuses come from the second', async () => {
    expect((await journey.get(await journey.href('photos-first-host-refuses', 'jpg-1'))).status).toBe(200);
  });
});

describe('an album with missing parts', () => {
  const idOf = (post: string) => postOf(journey, post).id;
  const zipOf = async (post: string, headers: Record<string, string> = {}, query = '') =>
    readZip(await bytesOf(await journey.get((await journey.href(post, 'zip')) + query, { headers })));
  /** Without the file names that are the same for all: `01.jpg`, `missing.txt`. */
  const names = (post: string, files: readonly ZippedFile[]) =>
    files.map(({ name }) => name.replace(`ferry.captain-${idOf(post)}-`, ''));
  const note = (files: readonly ZippedFile[]) => files.at(-1)?.bytes.toString() ?? '';

  test('is a zip of the others, with a note about what is missing', async () => {
    const post = 'picture-refused';
    const files = await zipOf(post);
    expect(names(post, files)).toEqual(['01.jpg', '02.jpg', '04.jpg', '05.jpg', 'missing.txt']);
    expect(digest(files[2]?.bytes ?? Buffer.alloc(0))).toBe(digest(originalPicture(post, 4)));
    expect(note(files)).toContain('These files are missing from the ZIP');
    expect(note(files).match(/-\d\d\.\w+/g)).toEqual(['-03.jpg']);
    expect(note(files)).toContain(`/photo/${idOf(post)}`);
    const press = '5'.repeat(32);
    await zipOf(post, {}, `?press=${press}`);
    expect(await arrivalOf(journey, await journey.href(post, 'zip'), press)).toMatchObject({
      missing_photos: 1,
    });
    const alone = await journey.get(await journey.href(post, 'jpg-3'));
    expect([alone.status, await alone.json()]).toMatchObject([502, { error: { key: 'media_unavailable' } }]);
  });

  test('says so in the language of the request', async () => {
    const german = await zipOf('picture-refused', { 'accept-language': 'de-DE,de;q=0.9' });
    expect(note(german)).toContain('weil wir sie nicht bekommen konnten');
    const turkish = await zipOf('picture-refused', { 'accept-language': 'de' }, '?locale=tr');
    expect(note(turkish)).toContain('Alamadığımız için');
  });

  test('continues whatever is wrong with a part, and retries only what broke off', async () => {
    const post = 'pictures-of-all-faults';
    const files = await zipOf(post);
    expect(names(post, files)).toEqual(['02.jpg', '02.mp4', '03.jpg', '05.jpg', '06.jpg', 'missing.txt']);
    expect(digest(files[0]?.bytes ?? Buffer.alloc(0))).toBe(digest(originalPicture(post, 2)));
    expect(note(files).match(/-\d\d\.\w+/g)).toEqual(['-01.jpg', '-04.jpg', '-07.jpg', '-07.mp4']);
    const ready = await journey.get(`${await journey.href(post, 'zip')}/ready`);
    expect(ready.status).toBe(200);
  });

  test('names the slides that have no address, and counts them', async () => {
    const post = 'photos-unlisted';
    const { answer } = await journey.resolve(post);
    const { result } = answer as { result: { post: unknown; options: { id: string; label: string }[] } };
    expect(result.post).toMatchObject({ kind: 'photos', slides: 4 });
    const pictures = result.options.filter(({ id }) => id.startsWith('jpg'));
    expect(pictures.map(({ id, label }) => [id, label])).toEqual([
      ['jpg-1', 'JPG 1/4'],
      ['jpg-3', 'JPG 3/4'],
      ['jpg-4', 'JPG 4/4'],
    ]);
    const files = await zipOf(post);
    expect(names(post, files)).toEqual(['01.jpg', '03.jpg', '04.jpg', 'missing.txt']);
    expect(note(files).match(/-\d\d\.\w+/g)).toEqual(['-02.jpg']);
  });

  test('without any available part is an error before the first byte', async () => {
    const href = await journey.href('pictures-refused', 'zip');
    for (const path of [href, `${href}/ready`]) {
      const response = await journey.get(path);
      expect([response.status, await response.json()]).toMatchObject([
        502,
        { error: { key: 'media_unavailable' } },
      ]);
    }
  });
});

describe('moving pictures', () => {
  test('are mp4 files beside their pictures, with ranges', async () => {
    const { answer } = await journey.resolve('photos-moving');
    const options = 'result' in answer ? answer.result.options : [];
    expect(options.map(({ id, label }) => `${id} ${label}`).slice(0, 5)).toEqual([
      'jpg-1 JPG 1/3',
      'jpg-2 JPG 2/3',
      'mp4-2 MP4 2/3',
      'mp4-3 MP4 3/3',
      'zip ZIP',
    ]);
    const whole = originalMotion('photos-moving', 2);
    const href = await journey.href('photos-moving', 'mp4-2');
    const response = await journey.get(href);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('content-disposition')).toContain('-02.mp4');
    expect(digest(await bytesOf(response))).toBe(digest(whole));
    const part = await journey.get(href, { headers: { range: 'bytes=100-199' } });
    expect([part.status, digest(await bytesOf(part))]).toEqual([206, digest(whole.subarray(100, 200))]);
    const { name } = readyResponse.parse(await (await journey.get(`${href}/ready`)).json()).result;
    expect(name).toMatch(/-02\.mp4$/);
  });

  test('are in the zip, under the numbers of their slides', async () => {
    const files = readZip(await bytesOf(await journey.get(await journey.href('photos-moving', 'zip'))));
    expect(files.map(({ name }) => name.slice(-6))).toEqual(['01.jpg', '02.jpg', '02.mp4', '03.mp4']);
    expect(digest(files[3]?.bytes ?? Buffer.alloc(0))).toBe(digest(originalMotion('photos-moving', 3)));
  });
});

describe('bytes decide', () => {
  test('a picture is a JPEG whatever its address says, and HEIC keeps its name', async () => {
    const get = async (option: string) => journey.get(await journey.href('photos-heic', option));
    const [jpeg, heic] = [await get('jpg-1'), await get('jpg-2')];
    expect(jpeg.headers.get('content-type')).toBe('image/jpeg');
    expect(digest(await bytesOf(jpeg))).toBe(digest(originalPicture('photos-heic', 1)));
    expect(heic.headers.get('content-type')).toBe('image/heic');
    expect(heic.headers.get('content-disposition')).toContain('-02.heic');
    expect(digest(await bytesOf(heic))).toBe(digest(originalPicture('photos-heic', 2)));
    const ready = await journey.get(`${await journey.href('photos-heic', 'jpg-2')}/ready`);
    expect(readyResponse.parse(await ready.json()).result.name).toMatch(/-02\.heic$/);
    const files = readZip(await bytesOf(await get('zip')));
    expect(files.map(({ name }) => name.slice(-7))).toEqual(['-01.jpg', '02.heic', '-03.jpg']);
  });

  test.each(['song-for-video', 'song-for-video-unnamed'])(
    'a video is a song (%s): its mp3 unchanged, and no video',
    async (post) => {
      const { answer } = await journey.resolve(post);
      const options = 'result' in answer ? answer.result.options : [];
      expect(options.map(({ id }) => id)).toEqual(['mp3']);
      const response = await journey.get(options[0]?.href ?? '');
      expect(response.headers.get('content-type')).toBe('audio/mpeg');
      const song = await bytesOf(response);
      expect(song.length).toBe(Number(response.headers.get('content-length')));
      const original = originalSong(post);
      expect(song.subarray(-original.length).equals(original)).toBe(true);
    },
  );

  test('a post with an empty list of pictures is a video', async () => {
    const { answer } = await journey.resolve('empty-image-post');
    expect(answer).toMatchObject({ result: { post: { kind: 'video' } } });
    const bytes = await bytesOf(await journey.get(await journey.href('empty-image-post', 'mp4')));
    expect(digest(bytes)).toBe(digest(originalVideo('empty-image-post')));
  });
});
