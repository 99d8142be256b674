/** The header by which a client knows that it is the admin API that answers. */
export const adminMark = 'x-mock-admin';
