// In place of `node:http2` in the bundle: the server's library asks of each request whether it is one
// of HTTP/2, which the sandbox never speaks, and the module would take three milliseconds of a start.
export class Http2ServerRequest {}
export const constants = {}
