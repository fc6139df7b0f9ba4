/** Takes the place of a worker that was withdrawn: throws away what that one has kept, and itself. */
declare const self: ServiceWorkerGlobalScope;

async function leave(): Promise<void> {
  const names = await self.caches.keys();
  await Promise.all(names.map((name) => self.caches.delete(name)));
  await self.registration.unregister();
}

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(leave()));

// A module of its own, so that its names are not everybody's.
export {};
