import { createContext, RouterContextProvider } from 'react-router';
import type { SiteServices } from './services.ts';

/** What loaders and actions ask the server through. */
export const servicesContext = createContext<SiteServices>();

/**
 * Wraps the services of one request for React Router. Lives inside the build, because a context is found by its
 * identity; the host reaches it as `build.entry.module.createLoadContext`.
 */
export function createLoadContext(services: SiteServices): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  return context;
}
