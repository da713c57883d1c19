import { parsePhrases } from '../parse-phrases.ts';
import type { LanguageCues } from './language-cues.ts';

/** In Devanagari, and in Latin letters, in which many people write messages. Verbs follow their nouns. */
const GIVE = `बताएं, बताइए, बताओ, बता दो, बता दें, भेजें, भेजो, भेजिए, भेज दो, भेज दें, साझा करें, शेयर करें, शेयर करो, दीजिए, दें, bataye, batao, bata do, bataiye, bataen, bhejo, bheje, bhejiye, bhej do, share karo,
  share kare, share karein, dijiye`;

export const HINDI: LanguageCues = {
  tactics: {
    one_time_code: {
      finalVerbs: parsePhrases(GIVE),
      nouns: parsePhrases('ओटीपी, कोड, सत्यापन कोड, 6 अंकों का कोड, otp, code'),
    },
    remote_access: {
      finalVerbs: parsePhrases(
        'डाउनलोड करें, इंस्टॉल करें, डाउनलोड करो, download kare, download karo, install kare, install karo, download karein',
      ),
      nouns: parsePhrases('एनीडेस्क, टीमव्यूअर, क्विक सपोर्ट, quick support, एपीके, apk'),
    },
    irrevocable_payment: {
      finalVerbs: parsePhrases('खरीदें, खरीदो, भेजें, kharido, kharide, bhejo, bheje'),
      nouns: parsePhrases('गिफ्ट कार्ड, बिटकॉइन, gift card, google play card'),
    },
    credentials: {
      phrases:
        parsePhrases(`केवाईसी अपडेट करें, केवाईसी अपडेट करो, kyc update kare, kyc update karo, kyc update karein, kyc अपडेट करें, पैन अपडेट करें, pan card update kare, pan update kare, pan link kare, खाता सत्यापित करें, verify karo, account verify kare,
        पता अपडेट करें, address confirm kare, address update kare, विवरण अपडेट करें, जानकारी अपडेट करें`),
      finalVerbs: parsePhrases(
        `${GIVE}, भरें, दर्ज करें, अपडेट करें, डालें, dale, bhare, daalein, update kare, update karo, update karein`,
      ),
      nouns: parsePhrases(
        'पासवर्ड, कार्ड नंबर, खाता नंबर, आधार नंबर, पिन नंबर, एटीएम पिन, यूपीआई पिन, सीवीवी, बैंक विवरण, बैंक डिटेल, पैन नंबर, upi pin, card number, cvv, password, account number, aadhaar number, bank detail, bank details, card detail, card details',
      ),
    },
    fee: {
      phrases: parsePhrases(
        'तुरंत भुगतान करें, अभी भुगतान करें, पेमेंट करें, turant payment kare, abhi pay kare, payment karo, turant payment karo, payment kare, bill jama kare',
      ),
      finalVerbs: parsePhrases(
        'जमा करें, जमा करो, भुगतान करें, भेजें, भेजो, भेज दो, भरें, दें, चुकाएं, jama kare, jama karo, jama karein, bharo, bhare, bhejo, bhej do, pay kare, pay karo, bheje',
      ),
      nouns: parsePhrases(
        'फीस, शुल्क, जुर्माना, चालान, पैसे, रुपये, टैक्स, बिल, प्रोसेसिंग फीस, कस्टम ड्यूटी, सिक्योरिटी, fees, fee, jurmana, paise, rupaye, rupees, gst, processing fee, challan, insurance, rs',
      ),
    },
    call_back: {
      phrases: parsePhrases(
        'तुरंत कॉल करें, तुरंत संपर्क करें, अभी कॉल करें, turant call kare, abhi call kare, turant call karo, turant sampark kare, 1 दबाएं, एक दबाएं, 9 दबाएं, 1 dabaye, बिजली अधिकारी से संपर्क',
      ),
      verbs: parsePhrases('कॉल करें, संपर्क करें, call kare, call karo, call karein, sampark kare, contact kare'),
      finalVerbs: parsePhrases(
        'पर कॉल करें, पर संपर्क करें, par call kare, pe call kare, pe call karo, par call karo, par sampark kare',
      ),
    },
    secrecy: {
      phrases: parsePhrases(
        'किसी को मत बताना, किसी को न बताएं, किसी को ना बताना, किसी को मत बताओ, kisi ko mat batana, kisi ko mat batao, kisi ko na batana, गुप्त रखें, फोन मत काटना, किसी को कुछ मत बताना',
      ),
    },
    elsewhere: {
      phrases: parsePhrases('मेरा नंबर सेव, mera number save, टेलीग्राम ग्रुप, व्हाट्सएप ग्रुप, telegram group join'),
      verbs: parsePhrases('whatsapp karo, whatsapp kare'),
      finalVerbs: parsePhrases(
        'जुड़ें, मैसेज करें, संपर्क करें, join karo, join kare, message karo, message kare, msg karo',
      ),
      nouns: parsePhrases('व्हाट्सएप, टेलीग्राम, वॉट्सऐप'),
    },
    open_link: {
      phrases: parsePhrases(
        'लिंक पर क्लिक करें, यहां क्लिक करें, लिंक खोलें, लिंक पर जाएं, इस लिंक पर, link par click kare, link pe click kare, link pe click karo, yahan click kare, link khole, is link par, link par click karein, click kare, click karo',
      ),
      verbs: parsePhrases(
        'क्लिक करें, खोलें, भुगतान करें, अपडेट करें, देखें, डाउनलोड करें, click kare, click karo, update kare, verify kare, dekhe, kare, karo',
      ),
      finalVerbs: parsePhrases('पर क्लिक करें, खोलें, par click kare, pe click kare, par jaye, se kare'),
    },
    new_number: {
      phrases: parsePhrases(
        'मेरा नया नंबर, यह मेरा नया नंबर, ये मेरा नया नंबर, mera naya number, मेरा फोन टूट गया, मेरा फोन खो गया, मेरा फोन खराब, mera phone kho gaya, mera phone toot gaya, mera phone kharab, दोस्त का नंबर है, दोस्त के नंबर से',
      ),
    },
    blocked: {
      phrases: parsePhrases(
        'बंद हो जाएगा, बंद हो जाएगी, बंद कर दिया जाएगा, ब्लॉक हो जाएगा, ब्लॉक कर दिया गया, निष्क्रिय हो जाएगा, निलंबित कर दिया, ब्लॉक हो गया, काट दी जाएगी, बंद कर दिया गया, block ho jayega, band ho jayega, block ho gaya, band ho jayegi, suspend ho jayega, band ho gaya, band hone wala, kaat di jayegi, band kar diya, ब्लॉक किया गया, बंद किया जा रहा',
      ),
    },
    threat: {
      phrases: parsePhrases(
        'गिरफ्तारी वारंट, गिरफ्तार, कानूनी कार्रवाई, डिजिटल अरेस्ट, मुकदमा, जेल हो, जेल भेज, warrant, kanooni karwai, kanuni karyawahi, arrest ho, case darj, केस दर्ज, वापस भेजा जा रहा, एफआईआर, return ho raha',
      ),
    },
    haste: {
      phrases: parsePhrases(
        'तुरंत, तत्काल, अंतिम चेतावनी, आखिरी मौका, 24 घंटे में, 24 घंटे के अंदर, 24 घंटे के भीतर, आज ही, आज रात, turant, aaj hi, aakhri mauka, 24 ghante me, 24 ghante ke andar, aaj raat, jaldi kare, फौरन, अंतिम सूचना',
      ),
    },
    payment_problem: {
      phrases: parsePhrases(
        'भुगतान नहीं हुआ, भुगतान विफल, बकाया, बिल जमा नहीं, बिल अपडेट नहीं, bill update nahi, bill pending, bakaya, payment fail, भुगतान लंबित, bill jama nahi, payment pending',
      ),
    },
    delivery_problem: {
      phrases: parsePhrases(
        'डिलीवर नहीं हो सका, डिलीवरी नहीं हो सकी, डिलीवर नहीं हो पाया, अधूरे पते, गलत पते, पता अधूरा, deliver nahi hua, deliver nahi ho, address galat, address incomplete, रोक दिया गया है, गोदाम में',
      ),
      verbs: parsePhrases('रुका, रोका, hold pe, hold par, ruka, atka'),
      nouns: parsePhrases('पार्सल, पैकेज, पैकेट, कूरियर, parcel'),
    },
    unknown_activity: {
      phrases: parsePhrases(
        'संदिग्ध लेनदेन, संदिग्ध गतिविधि, अगर आपने नहीं किया, यदि आपने नहीं, नए डिवाइस से, अनधिकृत, agar aapne nahi, aapne nahi kiya, संदिग्ध ट्रांजैक्शन',
      ),
    },
    virus: {
      phrases: parsePhrases('वायरस है, वायरस मिला, हैक हो गया, hack ho gaya, virus hai, virus aa gaya'),
    },
    prize: {
      phrases: parsePhrases(
        'आपने जीता, आपने जीती, लॉटरी लगी, लॉटरी जीती, विजेता, आप जीते, इनाम जीता, इनाम, aapne jeeta, lottery lagi, aap jeet gaye, lottery jeeti, inaam, आपका चयन लकी, सब्सिडी मिली, फ्री रिचार्ज, free recharge, कैशबैक मिला',
      ),
    },
    earnings: {
      phrases: parsePhrases(
        'घर बैठे कमाएं, घर बैठे पैसे, रोज कमाएं, रोजाना कमाएं, गारंटीड रिटर्न, पक्का मुनाफा, डबल करें, ghar baithe, roz kamao, paise double, sure profit, paisa double, ghar se kaam, गारंटी मुनाफा, मुनाफा, पार्ट टाइम जॉब, कमाई, har like ke',
      ),
    },
    offer: {
      phrases: parsePhrases(
        'लोन मंजूर, लोन अप्रूव, तुरंत लोन, बिना कागज, पर्सनल लोन, loan approve, turant loan, loan pass, instant loan, loan chahiye, लोन पास',
      ),
    },
    meeting: {
      phrases: parsePhrases(
        'गलत नंबर, dosti karoge, दोस्ती करोगे, wrong number sorry, आपकी प्रोफाइल, aapki profile',
      ),
    },
    extortion: {
      phrases: parsePhrases(
        'आपका वीडियो रिकॉर्ड, वीडियो वायरल, video viral, तुम्हारा वीडियो, aapka video record, सबको भेज दूंगा, sabko bhej dunga, नग्न वीडियो, viral kar dunga, वायरल कर दूंगा',
      ),
    },
    unreachable: {
      phrases: parsePhrases(
        'मीटिंग में हूं, meeting me hu, meeting mein hoon, बात नहीं कर सकता, call nahi kar sakta, कॉल नहीं कर सकता',
      ),
    },
    vague_greeting: {
      phrases: parsePhrases(
        'प्रिय ग्राहक, प्रिय उपभोक्ता, प्रिय उपयोगकर्ता, dear consumer, priya grahak, माननीय ग्राहक',
      ),
    },
  },
  topics: {
    delivery_scam: parsePhrases(
      'पार्सल, कूरियर, पैकेज, आपका पैकेट, इंडिया पोस्ट, डिलीवरी नहीं, apka parcel, aapka parcel, india post, parcel hold',
    ),
    toll_or_fine_scam: parsePhrases('चालान, ई चालान, ट्रैफिक, e challan, challan, फास्टैग, fastag, परिवहन, rto'),
    otp_request: parsePhrases(
      'ओटीपी बताएं, ओटीपी बताइए, otp batao, otp bata do, otp bhejo, ओटीपी भेजें, कोड बताएं, otp share karo, otp bataye',
    ),
    tax_scam: parsePhrases('आयकर, टैक्स रिफंड, इनकम टैक्स, आयकर विभाग, income tax, tax refund, जीएसटी'),
    bank_impersonation: parsePhrases(
      'बैंक से बोल, आपका खाता, आपका बैंक खाता, क्रेडिट कार्ड, केवाईसी, डेबिट कार्ड, एटीएम कार्ड, aapka account, aapka khata, kyc update, aapka bank, एसबीआई, aapka atm, यूपीआई, पैन कार्ड',
    ),
    account_takeover: parsePhrases(
      'आपका अकाउंट, सब्सक्रिप्शन, whatsapp account, instagram account, facebook account',
    ),
    tech_support_scam: parsePhrases('आपके कंप्यूटर, आपका कंप्यूटर, तकनीकी सहायता, वायरस, aapke computer'),
    family_emergency: parsePhrases(
      'मेरा नया नंबर, मां मेरा, पापा मेरा, एक्सीडेंट हो गया, accident ho gaya, mummy mera, papa mera, आपका बेटा, आपका लड़का, aapka beta, मेरा फोन टूट',
    ),
    extortion: parsePhrases('वीडियो वायरल, video viral, viral kar dunga, वायरल कर दूंगा'),
    crypto_scam: parsePhrases(
      'शेयर बाजार, निवेश, क्रिप्टो, ट्रेडिंग, invest karo, stock market tips, आईपीओ, ipo allotment, paisa double, demat',
    ),
    job_scam: parsePhrases(
      'पार्ट टाइम जॉब, वर्क फ्रॉम होम, घर बैठे, नौकरी, ghar baithe, naukri, part time kaam, नियुक्ति पत्र, जॉब',
    ),
    prize_scam: parsePhrases(
      'लॉटरी, इनाम, केबीसी, कौन बनेगा करोड़पति, lottery, kbc, inaam, लकी ड्रॉ, फ्री रिचार्ज, free recharge, विजेता',
    ),
    loan_scam: parsePhrases('लोन, पर्सनल लोन, मुद्रा लोन, loan approve, loan pass, mudra loan'),
    romance_scam: parsePhrases('दोस्ती, dosti karoge, गलत नंबर, शादी डॉट कॉम'),
    insurance_or_debt_scam: parsePhrases('बीमा पॉलिसी, आपकी पॉलिसी, बीमा लोकपाल, policy bonus, पॉलिसी'),
    marketplace_scam: parsePhrases('ओएलएक्स, qr code scan karo, क्यूआर कोड'),
  },
};
