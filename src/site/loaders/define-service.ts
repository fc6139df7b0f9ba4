import type { SiteServices } from './services.ts';

/** A feature's service for the loaders of pages. */
export interface FeatureService<T> {
  /** The feature's entry of `FeatureServer.services`. */
  provide(service: T): Readonly<Record<string, unknown>>;
  /** @throws Error when the server has not provided it */
  of(services: Pick<SiteServices, 'featureServices'>): T;
}

/**
 * Defines a service that a feature's server part provides and its pages use. Pages are built apart from the server, so
 * a name connects the two; only this definition reads it.
 * @param name unique among all features
 * @param without the value for a site without the feature
 */
export const defineService = <T>(name: string, without?: T): FeatureService<T> => ({
  provide: (service) => ({ [name]: service }),
  of({ featureServices }) {
    const service = featureServices[name] ?? without;
    if (service === undefined) throw new Error(`the server provides no service "${name}"`);
    return service as T;
  },
});
