/** Why the signal of a request fires when its client has closed the connection. When the server stops, or what opened a stream ends, it fires without. */
export class ClientGone extends Error {
  constructor() {
    super("The client has closed the connection");
    this.name = "ClientGone";
  }
}
