import { Failure } from '../../failures/failures.ts';
import type { Locale } from '../../i18n/languages.ts';
import type { DownloaderModule } from '../../web/configuration/configuration.ts';
import type { ConsentCategory } from '../../web/consent/consent-cookie.ts';
import type { DeskPage } from '../../web/desk/desk-page.ts';
import type { Assembled, ErrorReporter, FeatureContext, FeatureServer } from '../../web/feature.ts';
import { joinPolicies, type PolicyAdditions } from '../../web/http/responses/security-headers.ts';
import type { FeatureServices, ToolPartData } from '../../web/loaders/services.ts';
import type {
  FeatureLimits,
  FeatureParts,
  FeatureSlots,
  ServerDependencies,
} from '../../web/server/parts.ts';
import type { FeatureSettings } from '../../web/visitors/settings.ts';
import { features } from '../features.ts';

/** The features' contributions to an instance. */
interface AssembledFeatures {
  readonly servers: readonly FeatureServer[];
  readonly parts: FeatureParts & FeatureSlots & Pick<Partial<ServerDependencies>, 'pageCache'>;
  readonly limits: FeatureLimits;
  readonly services: FeatureServices;
  toolParts(locale: Locale, module: DownloaderModule): Partial<ToolPartData>;
  settings(locale: Locale): FeatureSettings;
  readonly policy: PolicyAdditions;
  deskPages(parts: ServerDependencies): Promise<readonly DeskPage[]>;
  readonly listsFrom: string | undefined;
  readonly asksFor: readonly ConsentCategory[];
  readonly reporters: readonly ErrorReporter[];
  close(): Promise<void>;
}

/** The slots of a site without features. */
const withoutFeatures: FeatureSlots = {
  isWithheld: () => false,
  isDatabaseAway: () => false,
  resolvePage: (_, here) => here(),
  readPictureAt: () =>
    Promise.reject(new Failure('ticket_invalid', { note: 'no other server of this site' })),
  receiveMessage: async () => ({ kind: 'failed', values: {}, reason: 'unavailable' }),
  records: null,
};

/** Opens what the features run on, all at once. @throws EnvironmentError */
export async function assembleFeatures(context: FeatureContext): Promise<AssembledFeatures> {
  const servers = await Promise.all(
    features.flatMap(({ server }) => server?.().then((loaded) => loaded.default) ?? []),
  );
  const all = await Promise.all(
    servers.map(async (server): Promise<Assembled> => server.assemble?.(context) ?? {}),
  );
  /** Combines the features' contributions. Each feature declares its own, so none is missing. */
  const merged = <T extends object>(given: (one: Assembled) => Partial<T> | undefined): T =>
    Object.assign({}, ...all.map(given)) as T;
  return {
    servers,
    parts: { ...withoutFeatures, ...merged(({ parts }) => parts) },
    limits: merged(({ limits }) => limits),
    services: merged(({ services }) => services),
    toolParts: (locale, module) => merged(({ toolParts }) => toolParts?.(locale, module)),
    settings: (locale) => merged(({ settings }) => settings?.(locale)),
    policy: joinPolicies(...all.map(({ policy }) => policy)),
    deskPages: async (parts) => (await Promise.all(all.map(({ desk }) => desk?.(parts) ?? []))).flat(),
    listsFrom: all.find(({ listsFrom }) => listsFrom !== undefined)?.listsFrom,
    asksFor: all.flatMap(({ asksFor = [] }) => asksFor),
    reporters: all.flatMap(({ reporter }) => reporter ?? []),
    async close() {
      await Promise.all(all.map(({ close }) => close?.()));
    },
  };
}
