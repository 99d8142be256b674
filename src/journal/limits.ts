/** The greatest size of a journal, in requests. */
export const maxJournal = 1_000_000;

/** How much of a body a journal keeps, in bytes or characters: a page of 100 batches has 74,000. */
export const maxBody = 256_000;

/** How much memory all journals of a gateway may take by default, in megabytes (1,000,000 bytes). */
export const defaultJournalMemory = 256;

/** The greatest value of that option. */
export const maxJournalMemory = 1_000_000;

/** The longest wait, in milliseconds: `fetch` itself gives up after five minutes without a reply. */
export const maxTimeout = 240_000;

/** The code of the error over HTTP if requests were dropped, since a session that was removed is another reason for a 410. */
export const droppedCode = 'requests_dropped';
