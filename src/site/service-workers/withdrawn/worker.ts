/** Replaces a withdrawn worker: deletes its caches, and unregisters itself. */
declare const self: ServiceWorkerGlobalScope;

async function leave(): Promise<void> {
  const names = await self.caches.keys();
  await Promise.all(names.map((name) => self.caches.delete(name)));
  await self.registration.unregister();
}

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(leave()));

// Makes it a module, so that its names are not global.
export {};
