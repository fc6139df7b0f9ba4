import { createContext, RouterContextProvider } from 'react-router';
import type { SiteServices } from './services.ts';

/** What loaders and actions ask the server through. */
export const servicesContext = createContext<SiteServices>();

/** Wraps the services of one request for React Router. */
export function createLoadContext(services: SiteServices): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  return context;
}
