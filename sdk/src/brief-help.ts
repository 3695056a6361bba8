import type { Service } from './service.ts';
import type { PrizeGuidance, Template } from './wire/briefs.ts';

/** Help for the author of a brief. It needs no key. */
export type BriefHelp = {
  /** Templates of briefs, with completed examples. Spread `brief` of one into your draft. */
  templates(): Promise<Template[]>;
  /** The prizes of similar completed projects. */
  prizeGuidance(specialization: string, itemCount?: number): Promise<PrizeGuidance>;
};

export function briefHelp(service: Service): BriefHelp {
  return {
    templates: async () => (await service.call<{ templates: Template[] }>('GET', '/templates')).templates,
    prizeGuidance: (specialization, itemCount) =>
      service.call('GET', '/market/prizes', { query: { specialization, item_count: itemCount } }),
  };
}
