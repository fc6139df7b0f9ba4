/** Name of the IndexedDB database, also listed in `src/site/visitors/stored/stored-items.ts`. */
const databaseName = 'many-posts';

const result = <Result>(request: IDBRequest<Result>) =>
  new Promise<Result>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1);
  request.onupgradeneeded = () => {
    const database = request.result;
    // Stores: files that other pages hand over; the run; its posts, by position; files that wait for their zip, by
    // path.
    database.createObjectStore('inbox', { autoIncrement: true });
    database.createObjectStore('run');
    database.createObjectStore('posts', { keyPath: 'n' });
    database.createObjectStore('files');
  };
  return result(request);
}

type StoreName = 'inbox' | 'run' | 'posts' | 'files';

/** One transaction: all of it, or nothing. @throws DOMException, `QuotaExceededError` when the device is full */
export async function changeManyPosts<Result>(
  names: readonly StoreName[],
  work: (store: (name: StoreName) => IDBObjectStore) => Result,
): Promise<Result> {
  const database = await open();
  try {
    const transaction = database.transaction(names, 'readwrite');
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const done = work((name) => transaction.objectStore(name));
    await ended;
    return done;
  } finally {
    database.close();
  }
}

/**
 * Hands files or texts to the page that saves many posts. They stay on the device.
 * @returns whether there was room for them
 */
export async function handToManyPosts(given: readonly (Blob | string)[]): Promise<boolean> {
  try {
    await changeManyPosts(['inbox'], (store) => {
      store('inbox').clear();
      for (const one of given) store('inbox').add(one);
    });
    return true;
  } catch (thrown) {
    if (!(thrown instanceof DOMException)) throw thrown;
    return false;
  }
}
