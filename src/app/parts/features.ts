import type { Content } from '../../content/content.ts';
import type { PostName } from '../../downloader/posts/resolver.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { ResolvePage, ServerDependencies } from '../../server/instance/parts.ts';
import { features } from '../features.ts';

/** Opens all features of an instance at once, and joins what they do. @throws EnvironmentError */
export async function openFeatures(core: Core) {
  const all: readonly FeatureServer[] = await Promise.all(features.flatMap(({ open }) => open?.(core) ?? []));
  const withholding = all.flatMap(({ withholds }) => withholds ?? []);
  const resolving = all.flatMap(({ resolvePage }) => resolvePage ?? []);
  const parts = {
    isWithheld: (post: PostName) => withholding.some((withholds) => withholds(post)),
    resolvePage: resolving.reduce<ResolvePage>(
      (inner, outer) => (request, here) => outer(request, () => inner(request, here)),
      (_, here) => here(),
    ),
    featureServices: Object.assign({}, ...all.map(({ services }) => services)),
    deskPages: async (given: ServerDependencies) =>
      (await Promise.all(all.map(({ desk }) => desk?.(given) ?? []))).flat(),
    forget: (token: string) => Promise.all(all.map(({ forget }) => forget?.(token))),
  };
  return {
    all,
    parts,
    content: (own: Content) => all.reduce((one, { content }) => content?.(one) ?? one, own),
    pageCache: all.find(({ pageCache }) => pageCache)?.pageCache,
    onError: (error: unknown, requestId?: string) =>
      Promise.all(all.map(({ onError }) => onError?.(error, requestId))),
    close: () => Promise.all(all.map(({ close }) => close?.())),
  };
}
