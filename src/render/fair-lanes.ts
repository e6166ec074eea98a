/**
 * Who is next, when many accounts wait.
 *
 * Each account has a lane, first come first served; the lanes take turns. One request of an account therefore
 * waits for at most one request of every other account, however many those have.
 *
 * Room is shared in the same spirit: when it runs out, an account that has less than the average takes the
 * place of the youngest request in the most crowded lane.
 */
export interface Seated {
  readonly account_id: string;
  /** Where it sits in its lane; only the lane writes it. */
  seat: number;
}

interface Lane<T> {
  /** Those before `first` have left; null is one that left out of turn. */
  seats: (T | null)[];
  first: number;
  count: number;
}

export interface Lanes<T extends Seated> {
  accounts(): number;
  count(account: string): number;
  add(item: T): void;
  remove(item: T): void;
  take(): T | null;
  /** Removes the youngest item of the most crowded lane, if the account has a better claim to its place. */
  evictFor(account: string): T | null;
}

const emptySeatsMin = 64;

export function fairLanes<T extends Seated>(): Lanes<T> {
  // The order of the map is the order of turns. A lane is removed when it is empty.
  const lanes = new Map<string, Lane<T>>();
  let size = 0;
  let crowded: Lane<T> | null = null;

  function leave(account: string, lane: Lane<T>, item: T): T {
    lane.seats[item.seat] = null;
    lane.count--;
    size--;
    if (lane.count === 0) {
      lanes.delete(account);
      if (crowded === lane) crowded = null;
    } else if (lane.seats.length > 2 * lane.count + emptySeatsMin) {
      compact(lane);
    }
    return item;
  }

  function mostCrowded(): Lane<T> {
    let most: Lane<T> | null = null;
    for (const lane of lanes.values()) if (most === null || lane.count > most.count) most = lane;
    return most!;
  }

  return {
    accounts: () => lanes.size,
    count: (account) => lanes.get(account)?.count ?? 0,
    add(item) {
      let lane = lanes.get(item.account_id);
      if (lane === undefined) {
        lane = { seats: [], first: 0, count: 0 };
        lanes.set(item.account_id, lane);
      }
      item.seat = lane.seats.push(item) - 1;
      lane.count++;
      size++;
    },
    remove(item) {
      const lane = lanes.get(item.account_id);
      if (lane?.seats[item.seat] === item) leave(item.account_id, lane, item);
    },
    take() {
      for (const [account, lane] of lanes) {
        // To the end of the turns; an empty lane is removed right after.
        lanes.delete(account);
        lanes.set(account, lane);
        while (lane.seats[lane.first] === null) lane.first++;
        return leave(account, lane, lane.seats[lane.first]!);
      }
      return null;
    },
    evictFor(account) {
      const wanted = (lanes.get(account)?.count ?? 0) + 1;
      // Below the average: then some lane has at least two more, and the exchange makes the shares more equal.
      if (wanted * lanes.size >= size) return null;
      if (crowded === null || crowded.count <= wanted) crowded = mostCrowded();
      while (crowded.seats.at(-1) === null) crowded.seats.pop();
      const youngest = crowded.seats.at(-1)!;
      return leave(youngest.account_id, crowded, youngest);
    },
  };
}

function compact<T extends Seated>(lane: Lane<T>): void {
  lane.seats = lane.seats.filter((item) => item !== null);
  lane.first = 0;
  lane.seats.forEach((item, seat) => {
    item!.seat = seat;
  });
}
