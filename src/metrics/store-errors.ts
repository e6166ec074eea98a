import { Cancelled, type Store, UniqueViolation } from "../store/store.ts";

/**
 * The same store; `failed` is told of every operation that it could not do. A refused write is not a failure, nor is
 * what nobody wanted any more.
 */
export function watchStore(store: Store, failed: (operation: keyof Store) => void): Store {
  const watched = <T>(operation: keyof Store, result: Promise<T>): Promise<T> => {
    result.catch((cause) => {
      if (!(cause instanceof UniqueViolation || cause instanceof Cancelled)) failed(operation);
    });
    return result;
  };
  return {
    get: (collection, id) => watched("get", store.get(collection, id)),
    codeAtHand: (id) => store.codeAtHand(id),
    commit: (writes) => watched("commit", store.commit(writes)),
    keyByHash: (hash) => watched("keyByHash", store.keyByHash(hash)),
    keysOf: (accountId) => watched("keysOf", store.keysOf(accountId)),
    codeBySlug: (slug) => watched("codeBySlug", store.codeBySlug(slug)),
    userByEmail: (email) => watched("userByEmail", store.userByEmail(email)),
    usersOf: (accountId) => watched("usersOf", store.usersOf(accountId)),
    listCodes: (query, signal) => watched("listCodes", store.listCodes(query, signal)),
    countedCodes: (query) => watched("countedCodes", store.countedCodes(query)),
    listProjects: (accountId, stretch) => watched("listProjects", store.listProjects(accountId, stretch)),
    listAccounts: (stretch) => watched("listAccounts", store.listAccounts(stretch)),
    walk: (collection, after, limit) => watched("walk", store.walk(collection, after, limit)),
    pendingRenders: (after, limit) => watched("pendingRenders", store.pendingRenders(after, limit)),
    scanCount: (slug) => watched("scanCount", store.scanCount(slug)),
    countedBy: (slug) => watched("countedBy", store.countedBy(slug)),
    saveScans: (scans, by) => watched("saveScans", store.saveScans(scans, by)),
    clearScans: (since, from) => watched("clearScans", store.clearScans(since, from)),
    scanHours: (of, stretch, limit) => watched("scanHours", store.scanHours(of, stretch, limit)),
    scanDays: (of, stretch, limit) => watched("scanDays", store.scanDays(of, stretch, limit)),
    scanTotals: (of, stretch, add) => watched("scanTotals", store.scanTotals(of, stretch, add)),
    scanSums: (of, stretch) => watched("scanSums", store.scanSums(of, stretch)),
    parts: store.parts,
    membership: store.membership,
    removeExpired: (collection, before) => watched("removeExpired", store.removeExpired(collection, before)),
    secret: (name) => watched("secret", store.secret(name)),
    ping: () => watched("ping", store.ping()),
    close: () => store.close(),
  };
}
