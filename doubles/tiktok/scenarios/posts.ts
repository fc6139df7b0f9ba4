import { isNumberedId } from './ids.ts';
import { mediaFaults } from './media-faults.ts';
import { pageFaults } from './page-faults.ts';
import { readablePosts } from './readable-posts.ts';
import { refusedPosts } from './refused-posts.ts';
import type { PostScenario } from './scenario.ts';
import { separateSounds } from './separate-sounds.ts';

/** Every post of the double. Ids derive from names, so a name never changes. */
export const POSTS: readonly PostScenario[] = [
  ...readablePosts,
  ...separateSounds,
  ...refusedPosts,
  ...pageFaults,
  ...mediaFaults,
];

const byName = new Map(POSTS.map((scenario) => [scenario.name, scenario]));
const byId = new Map(POSTS.map((scenario) => [scenario.id, scenario]));

/** @throws when there is no post of that name */
export function postNamed(name: string): PostScenario {
  const scenario = byName.get(name);
  if (scenario === undefined) throw new Error(`The double has no post named ${name}`);
  return scenario;
}

/** The post with that id, or the one behind a numbered id; undefined when the platform does not know it. */
export function postWithId(id: string): PostScenario | undefined {
  return byId.get(id) ?? (isNumberedId(id) ? byName.get('numbered') : undefined);
}

/** The address that a visitor would copy from the browser. */
export function postUrl(scenario: PostScenario, id = scenario.id): string {
  const kind = scenario.post.media.kind === 'photos' ? 'photo' : 'video';
  return `https://www.tiktok.com/@${scenario.post.handle}/${kind}/${id}`;
}
