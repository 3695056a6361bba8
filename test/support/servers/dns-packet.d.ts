declare module 'dns-packet' {
  export type Question = { name: string; type: string };
  export type Record = Question & { ttl: number; data: string };
  export type Packet = { id?: number; type?: string; flags?: number; questions?: Question[]; answers?: Record[] };
  export function encode(packet: Packet): Buffer;
  export function decode(bytes: Buffer): Packet;
  export const AUTHORITATIVE_ANSWER: number;
  export const RECURSION_AVAILABLE: number;
}
