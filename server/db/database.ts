/** What a statement takes as a parameter. An array becomes an array of PostgreSQL; `json` makes JSON of any value. */
export type Param = Scalar | readonly Scalar[];

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;

export type JSONValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Date
  | readonly JSONValue[]
  | { readonly [name: string]: JSONValue };

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a statement without a type parameter says nothing of its rows
export type Row = Record<string, any>;

/**
 * A statement, or a part of one. It is sent when it is awaited, and only once. Inside another statement, it is a part of
 * its text.
 */
export type PendingQuery<T extends readonly (object | undefined)[] = Row[]> = Promise<T & { readonly count: number }>;

export type Fragment = PendingQuery;

/**
 * Sends statements. Between backticks, each value is a parameter, and other statements become parts of the text. int8 is
 * read as a safe integer, because sums of microdollars stay below 2^53 (9 billion USDC); a larger one throws.
 */
export type Queryable = {
  <T extends readonly (object | undefined)[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly (Param | Fragment | PendingQuery<never>)[]
  ): PendingQuery<T>;
  /** Names of columns, or one name, quoted. Here and below, `createdAt` is the column `created_at`. */
  (name: string | readonly string[]): Fragment;
  /** `(columns) values (…), (…)`, for an insert. */
  <R extends object>(rows: R | readonly R[], ...columns: readonly (keyof R & string)[]): Fragment;
  /** `column = value, …`, for an update. */
  set(row: object): Fragment;
  json(value: JSONValue): string;
  /** A text as it is, with values for $1 and so on, not prepared. Without values, it may hold several statements. */
  unsafe<T extends readonly (object | undefined)[] = Row[]>(text: string, values?: readonly Param[]): PendingQuery<T>;
};

/** A connection pool. */
export type Db = Queryable & {
  /** Runs `work` in one transaction. The verbs use `withTransaction`. */
  begin<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Gives the statements of `work` one connection, so that those of one turn share a round trip. Each is a transaction of its
   * own.
   */
  together<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
  /** The most connections. */
  readonly connections: number;
  /** How long the oldest statement has waited for a connection while others hold all of them; 0 without a database. */
  waitedMs(): number;
  /** Closes the pool. Statements that are not over after `timeout` seconds fail. */
  end(options?: { timeout?: number }): Promise<void>;
};

export type TransactionOptions = {
  /** Such as `isolation level repeatable read`. */
  mode?: string;
  /** A limit for each statement, in place of that of the role. */
  statementMs?: number;
};

/** A transaction. Statements that one turn sends share a round trip. */
export type Tx = Queryable & { readonly isTransaction: true };

/**
 * The circuit breaker of the database. While it is open, the service refuses requests at once instead of letting them wait
 * for a connection.
 */
export type Breaker = {
  /** Whether the newest probe failed. */
  isOpen(): boolean;
  /**
   * Asks the database on a new connection, and opens or closes the breaker. Returns whether the database can serve: it
   * answers within 2 s and takes writes. Concurrent callers share one probe.
   */
  probe(): Promise<boolean>;
  /** Like `probe`, but a success of the last second counts. */
  answers(): Promise<boolean>;
  stop(): void;
};
