import { createContext, RouterContextProvider } from 'react-router';
import type { SiteServices } from './services.ts';

/** How loaders and actions reach the server. */
export const servicesContext = createContext<SiteServices>();

/** Wraps the services of one request for React Router. */
export function createLoadContext(services: SiteServices): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  return context;
}
