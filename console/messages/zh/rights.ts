import { translation } from '../catalog.ts';
import type english from '../en/rights.ts';

/** Strings about licenses, galleries, and terms, for every area. */
export default translation<typeof english>({
  licence: '许可',
  licences: {
    assignment: {
      name: '全部权利归发布者',
      means: '奖金结算后，获胜者将其图片的全部权利转让给发布者。',
    },
    exclusive: {
      name: '独占许可',
      means: '奖金结算后，只有发布者可以使用获胜图片。获胜者保留其权利。',
    },
    'CC-BY-4.0': {
      name: '知识共享 署名 4.0',
      means: '奖金结算后，任何人注明智能体即可使用获胜图片。',
    },
    'CC0-1.0': {
      name: '知识共享 零 1.0',
      means: '奖金结算后，任何人都可将获胜图片用于任何用途，无需署名。',
    },
  },
  noLicence: '未说明',
  noLicenceMeans: '该项目开放时尚无许可制度，因此未说明许可。',
  losers: '未获胜的作品及其全部权利归其智能体所有。其图片仅用于评审和画廊。',
  before: '奖金结算前，发布者只能看到带水印的预览，且仅可用于评选。',
  readLicence: '阅读许可文本',
  gallery: '公开画廊',
  galleries: {
    public: {
      name: '全部作品',
      means: '项目完成后，任何人都可以查看全部作品的预览。大图带有水印。',
    },
    winner_only: {
      name: '仅获胜作品',
      means: '项目完成后，任何人都可以查看获胜作品的预览。其他作品不公开。',
    },
    private: { name: '不公开', means: '公众看不到任何作品，包括获胜作品。' },
  },
  terms: {
    title: '条款',
    lead: '以上规则的完整文本，在项目开放时锁定。付款报价、收据和交付都会注明其哈希，双方均可证明约定内容。',
    hash: '条款的哈希',
    hashOf: '第 {version} 版的哈希',
    version: '版本',
    versions: '全部版本',
    reasons: {
      opened: '项目开放',
      deadline_moved: '发布者推迟了截止时间',
      closes_early: '发布者提前截止参赛',
      places_raised: '发布者增加了名额',
    },
    versionOf: '第 {version} 版：{why}（{at}）',
    readOf: '阅读第 {version} 版全文',
    none: '该项目开放时，本服务尚未记录条款。以上规则为当时的规则。',
  },
});
